import { randomBytes } from "node:crypto";
import type { CreateSessionBody } from "@computeragent/protocol";
import type { SessionDirs } from "../session/session-spec.ts";
import type { Host } from "./host.ts";
import { gitWorkspace, localWorkspace } from "./resolve-workspace.ts";
import type { Slot } from "./session-slot.ts";

/** Makes the folders of a new session; what was made is in the slot even when a later step fails. */
export async function makeDirs(
  host: Host,
  slot: Slot,
  wanted: { readonly workspace: CreateSessionBody["workspace"]; readonly hasIdentity: boolean },
): Promise<SessionDirs> {
  const { owned, signal } = slot;
  const make = async (...names: string[]): Promise<string> => {
    const path = await host.dirs.create(...names);
    owned.push(path);
    return path;
  };
  // A folder name that no other life of this id has used: ended sessions may still be on disk.
  const name = `${slot.id}.${randomBytes(4).toString("hex")}`;
  const workspace = wanted.workspace ?? { type: "identity" };
  const real =
    workspace.type === "local"
      ? await localWorkspace(workspace.path, host.config.allowWorkspaces ?? [])
      : await make("work", name);
  if (workspace.type === "git") await gitWorkspace(workspace, real, host.config, signal);
  const identity = !wanted.hasIdentity
    ? undefined
    : workspace.type === "identity"
      ? real
      : await make("identities", name);
  const home = await make("homes", name);
  const generated = await make("generated", name);
  const tmp = await host.tmpDirs.create(randomBytes(6).toString("hex"));
  owned.push(tmp);
  return { workspace: real, workspaceOwned: workspace.type !== "local", identity, generated, home, tmp, owned };
}
