import { constants } from "node:fs";
import { cp, lstat } from "node:fs/promises";
import { type ForkBody, type JsonValue, type Principal, WireError } from "@computeragent/protocol";
import type { Session } from "../session/session.ts";
import type { SessionDirs } from "../session/session-spec.ts";
import { assembleSession } from "./assemble-session.ts";
import { audit, type Host } from "./host.ts";
import { makeDirs } from "./session-dirs.ts";
import { inSlot, type Slot } from "./session-slot.ts";

/** Makes a session that continues a copy of `parent`'s conversation. The parent must be between turns, and stays there meanwhile. */
export async function forkSession(
  host: Host,
  parent: Session,
  body: ForkBody,
  principal: Principal,
  signal: AbortSignal,
): Promise<Session> {
  const { spec, runner } = parent.parts;
  if (!spec.engine.capabilities.includes("fork")) {
    throw new WireError("UNSUPPORTED_CAPABILITY", `the engine ${spec.engine.name} cannot fork`);
  }
  if (runner.turn) throw new WireError("UNSUPPORTED_CAPABILITY", "a session cannot be forked while a turn runs");
  const release = runner.hold();
  try {
    const child = await inSlot(host, { id: body.sessionId, principal, signal }, (slot) =>
      copySession(host, parent, principal, slot),
    );
    audit(host, { sessionId: parent.id, principal: principal.id, action: "session.fork", detail: { child: child.id } });
    return child;
  } finally {
    release();
  }
}

async function copySession(host: Host, parent: Session, principal: Principal, slot: Slot): Promise<Session> {
  const { spec, runner } = parent.parts;
  const dirs = await copyDirs(host, spec.dirs, slot);
  slot.signal.throwIfAborted();
  const { resume: _resume, ...kept } = spec;
  const state = runner.engineState;
  return assembleSession(
    host,
    {
      ...kept,
      id: slot.id,
      stream: slot.stream,
      principal,
      dirs,
      profile: moved(spec.profile, spec.dirs, dirs),
      ...(state ? { resume: { engineSessionId: state.engineSessionId, fork: true } } : {}),
    },
    [],
  );
}

async function copyDirs(host: Host, from: SessionDirs, slot: Slot): Promise<SessionDirs> {
  const workspace = from.workspaceOwned ? undefined : ({ type: "local", path: from.workspace } as const);
  const to = await makeDirs(host, slot, { workspace, hasIdentity: from.identity !== undefined });
  if (from.workspaceOwned) await copy(from.workspace, to.workspace);
  if (from.identity && to.identity && to.identity !== to.workspace) await copy(from.identity, to.identity);
  await copy(from.home, to.home);
  await copy(from.generated, to.generated);
  return to;
}

/** Files, folders and links; sockets, pipes and devices belong to the programs of the parent. */
async function copy(source: string, target: string): Promise<void> {
  await cp(source, target, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    mode: constants.COPYFILE_FICLONE,
    filter: async (path) => {
      const found = await lstat(path);
      return found.isFile() || found.isDirectory() || found.isSymbolicLink();
    },
  });
}

/** A copy of a value in which the folders of the parent are those of the child. */
function moved<T>(value: T, from: SessionDirs, to: SessionDirs): T {
  const pairs = [
    [from.generated, to.generated],
    [from.home, to.home],
    [from.identity, to.identity],
    [from.workspace, to.workspace],
  ] as const;
  return JSON.parse(JSON.stringify(value), (_key, inner: JsonValue) => {
    if (typeof inner !== "string") return inner;
    return pairs.reduce((text, [old, now]) => (old && now ? text.replaceAll(old, now) : text), inner);
  }) as T;
}
