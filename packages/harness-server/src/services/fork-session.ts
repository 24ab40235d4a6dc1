import { constants } from "node:fs";
import { cp } from "node:fs/promises";
import { type ForkBody, newId, type Principal, WireError } from "@computeragent/protocol";
import type { Session } from "../session/session.ts";
import type { SessionDirs } from "../session/session-spec.ts";
import { assembleSession } from "./assemble-session.ts";
import type { Host } from "./host.ts";
import { makeDirs, removeDirs } from "./session-dirs.ts";

/** Makes a session that continues a copy of `parent`'s conversation. The parent must be between turns. */
export async function forkSession(host: Host, parent: Session, body: ForkBody, principal: Principal): Promise<Session> {
  const { spec, runner } = parent.parts;
  if (!spec.engine.capabilities.includes("fork")) {
    throw new WireError("UNSUPPORTED_CAPABILITY", `the engine ${spec.engine.name} cannot fork`);
  }
  if (runner.turn) throw new WireError("UNSUPPORTED_CAPABILITY", "a session cannot be forked while a turn runs");
  const state = runner.engineState;
  const id = body.sessionId ?? newId("sess");
  const release = host.registry.reserve(id);
  const owned: string[] = [];
  try {
    const dirs = await copyDirs(host, id, spec.dirs, owned);
    const skills = spec.profile.skills;
    return await assembleSession(
      host,
      {
        ...spec,
        id,
        stream: host.registry.nextStream(),
        principal,
        dirs,
        profile: skills
          ? {
              ...spec.profile,
              skills: { ...skills, pluginDir: skills.pluginDir.replace(spec.dirs.generated, dirs.generated) },
            }
          : spec.profile,
        ...(state ? { resume: { engineSessionId: state.engineSessionId, fork: true } } : {}),
      },
      [],
    );
  } catch (error) {
    await removeDirs(host, owned);
    throw error;
  } finally {
    release();
  }
}

async function copyDirs(host: Host, id: string, from: SessionDirs, owned: string[]): Promise<SessionDirs> {
  const workspace = from.workspaceOwned ? undefined : ({ type: "local", path: from.workspace } as const);
  const identity = from.identity !== undefined && from.identity !== from.workspace;
  const wanted = { workspace, hasIdentity: from.identity !== undefined };
  const made = await makeDirs(host, id, wanted, owned, new AbortController().signal);
  const copy = (source: string, target: string): Promise<void> =>
    cp(source, target, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      preserveTimestamps: true,
    });
  if (from.workspaceOwned) await copy(from.workspace, made.workspace);
  if (identity && from.identity && made.identity) await copy(from.identity, made.identity);
  await copy(from.home, made.home);
  await copy(from.generated, made.generated);
  return made;
}
