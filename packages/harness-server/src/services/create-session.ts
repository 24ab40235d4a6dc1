import type { CreateSessionBody, EngineDriver, LoadResult, Principal } from "@computeragent/protocol";
import { writeAttachments } from "../fs/index.ts";
import { canonicalJson } from "../session/canonical.ts";
import type { Session } from "../session/session.ts";
import type { SessionDirs } from "../session/session-spec.ts";
import { assembleSession } from "./assemble-session.ts";
import { checkSession } from "./check-session.ts";
import { audit, type Host } from "./host.ts";
import { callerOptions, settle } from "./merge-options.ts";
import { makeDirs } from "./session-dirs.ts";
import { inSlot, type Slot } from "./session-slot.ts";
import { workspaceFiles } from "./workspace-files.ts";

const EMPTY_IDENTITY: LoadResult = {
  info: { name: "none", version: "0.0.0", sha: null },
  profile: {},
  governance: {},
  model: { fallbacks: [] },
  notices: [],
};

/** The one way to make a session, for `POST /v1/sessions` and `POST /v1/chat`. Leaves nothing behind when it fails. */
export async function createSession(
  host: Host,
  body: CreateSessionBody,
  principal: Principal,
  signal: AbortSignal,
): Promise<Session> {
  const engine = checkSession(host, body);
  const options = callerOptions(body, engine);
  const session = await inSlot(host, { id: body.sessionId, principal, signal }, (slot) =>
    makeSession(host, { body, engine, options, principal }, slot),
  );
  const detail = { engine: engine.name };
  audit(host, { sessionId: session.id, principal: principal.id, action: "session.create", detail });
  return session;
}

interface Order {
  readonly body: CreateSessionBody;
  readonly engine: EngineDriver;
  readonly options: ReturnType<typeof callerOptions>;
  readonly principal: Principal;
}

async function makeSession(host: Host, { body, engine, options, principal }: Order, slot: Slot): Promise<Session> {
  const { sessionLimits } = host.config;
  const dirs = await makeDirs(host, slot, { workspace: body.workspace, hasIdentity: body.identity !== undefined });
  const identity = await loadIdentity(host, body, dirs, slot.signal);
  const settled = settle(body, options, identity.governance, sessionLimits ?? {});
  if (body.attachments) {
    await writeAttachments(workspaceFiles(host, dirs.workspace), body.attachments);
  }
  slot.signal.throwIfAborted();
  return assembleSession(
    host,
    {
      ...settled,
      callerEnvs: body.envs ?? {},
      route: body.route,
      id: slot.id,
      stream: slot.stream,
      principal,
      engine,
      origin: originOf(body),
      identity: body.identity ? identity.info : null,
      dirs,
      governance: identity.governance,
      model: settled.model ?? identity.model.preferred ?? null,
      fallbacks: identity.model.fallbacks,
      profile: identity.profile,
    },
    identity.notices,
  );
}

/** Text that is equal exactly for bodies that ask for the same engine and identity. */
export function originOf(body: CreateSessionBody): string {
  return canonicalJson({ engine: body.engine, identity: body.identity ?? null });
}

async function loadIdentity(
  host: Host,
  body: CreateSessionBody,
  dirs: SessionDirs,
  signal: AbortSignal,
): Promise<LoadResult> {
  const loader = body.identity && host.config.loaderMap.get(body.identity.loader);
  if (!body.identity || !loader || !dirs.identity) return EMPTY_IDENTITY;
  return await loader.load({
    source: body.identity.source,
    targetEngine: body.engine,
    dir: dirs.identity,
    generatedDir: dirs.generated,
    signal,
  });
}
