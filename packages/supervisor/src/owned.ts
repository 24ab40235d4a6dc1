import { readFile } from "node:fs/promises";
import { OWNER_VARIABLE } from "./markers.ts";
import { identify, type ProcessIdentity } from "./process-identity.ts";
import { withDescendants } from "./process-tree.ts";
import { reap } from "./reap.ts";
import { type Marked, scanMarked } from "./scan.ts";

/** A process that belongs to a session of a host. `via`: its own marker, or descent from a marked process. */
export interface OwnedProcess extends ProcessIdentity {
  readonly hostId: string;
  readonly sessionId: string;
  readonly command: string;
  readonly via: "marker" | "descent";
}

/** Which owner is meant; a field left out accepts all. */
export interface OwnerFilter {
  readonly hostId?: string;
  readonly sessionId?: string;
}

/** Live processes of that owner, found by marker and by descent from a marked one; never the calling process. */
export async function findOwned(filter: OwnerFilter): Promise<readonly OwnedProcess[]> {
  const owned = new Map<number, OwnedProcess>();
  const marked = await scanOwner(filter);
  const markedPids = new Set(marked.map((process) => process.pid));
  for (const root of marked) {
    const owner = parseOwner(root.value);
    if (!owner) continue;
    for (const { pid } of withDescendants([root])) {
      if (owned.has(pid) || (pid !== root.pid && markedPids.has(pid))) continue;
      const identity = await identify(pid);
      const via = pid === root.pid ? "marker" : "descent";
      if (identity) owned.set(pid, { ...identity, ...owner, command: await commandLine(pid), via });
    }
  }
  return [...owned.values()];
}

/** SIGKILLs all that carries the marker of that host, and its descendants; waits for their death; returns the count. */
export function sweepOwner(hostId: string): Promise<number> {
  return reap(() => scanOwner({ hostId }));
}

/** Live processes whose marker matches, without descendants. */
export function scanOwner(filter: OwnerFilter): Promise<readonly Marked[]> {
  return scanMarked(OWNER_VARIABLE, (value) => {
    const owner = parseOwner(value);
    if (!owner) return false;
    if (filter.hostId !== undefined && filter.hostId !== owner.hostId) return false;
    return filter.sessionId === undefined || filter.sessionId === owner.sessionId;
  });
}

function parseOwner(value: string): { readonly hostId: string; readonly sessionId: string } | undefined {
  const colon = value.indexOf(":");
  return colon > 0 ? { hostId: value.slice(0, colon), sessionId: value.slice(colon + 1) } : undefined;
}

async function commandLine(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return text.replaceAll("\0", " ").trim().slice(0, 500);
}
