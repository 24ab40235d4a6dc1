import { type CreateSessionBody, type LoadResult, newId, type Principal, WireError } from "@computeragent/protocol";
import { createWorkspaceFs, writeAttachments } from "../fs/index.ts";
import { canonicalJson } from "../session/canonical.ts";
import type { Session } from "../session/session.ts";
import type { SessionDirs, SessionSpec } from "../session/session-spec.ts";
import { assembleSession } from "./assemble-session.ts";
import { audit, type Host } from "./host.ts";
import { callerOptions, settle } from "./merge-options.ts";
import { purgeSession } from "./purge-session.ts";
import { makeDirs, removeDirs } from "./session-dirs.ts";

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
  const { engine } = checkBody(host, body);
  const options = callerOptions(body, engine);
  const id = body.sessionId ?? newId("sess");
  const release = host.registry.reserve(id);
  const former = host.registry.find(id, principal);
  const owned: string[] = [];
  try {
    if (host.registry.live > host.config.limits.maxLiveSessions) {
      throw new WireError("LIMIT_REACHED", `${host.config.limits.maxLiveSessions} sessions are live already`);
    }
    if (former) await purgeSession(host, former);
    const dirs = await makeDirs(
      host,
      id,
      { workspace: body.workspace, hasIdentity: body.identity !== undefined },
      owned,
      signal,
    );
    const identity = await loadIdentity(host, body, dirs, signal);
    if (body.attachments) {
      const files = createWorkspaceFs({ root: dirs.workspace, maxFileBytes: host.config.limits.maxFileBytes });
      await writeAttachments(files, body.attachments);
    }
    const settled = settle(body, options, identity.governance, host.config.sessionLimits ?? {});
    const spec: Omit<SessionSpec, "envs" | "secrets"> = {
      callerEnvs: body.envs ?? {},
      route: body.route,
      id,
      stream: host.registry.nextStream(),
      principal,
      engine,
      loader: body.identity?.loader ?? null,
      origin: originOf(body),
      identity: body.identity ? identity.info : null,
      dirs,
      access: settled.access,
      permissionMode: settled.permissionMode,
      governance: identity.governance,
      limits: settled.limits,
      model: settled.model ?? identity.model.preferred ?? null,
      fallbacks: identity.model.fallbacks,
      profile: identity.profile,
      options: settled.options,
      includePartials: settled.includePartials,
    };
    const session = await assembleSession(host, spec, identity.notices);
    audit(host, { sessionId: id, principal: principal.id, action: "session.create", detail: { engine: engine.name } });
    return session;
  } catch (error) {
    await removeDirs(host, owned);
    throw error;
  } finally {
    release();
  }
}

/** Text that is equal exactly for bodies that ask for the same engine and identity. */
export function originOf(body: CreateSessionBody): string {
  return canonicalJson({ engine: body.engine, identity: body.identity ?? null });
}

function checkBody(host: Host, body: CreateSessionBody) {
  const engine = host.config.engineMap.get(body.engine);
  if (!engine) {
    const names = [...host.config.engineMap.keys()].join(", ");
    throw new WireError("UNKNOWN_ENGINE", `there is no engine ${JSON.stringify(body.engine)} here; there is ${names}`);
  }
  if (body.identity && !host.config.loaderMap.has(body.identity.loader)) {
    const names = [...host.config.loaderMap.keys()].join(", ") || "none";
    throw new WireError(
      "UNKNOWN_LOADER",
      `there is no loader ${JSON.stringify(body.identity.loader)} here; there is ${names}`,
    );
  }
  if (body.sessionStore) throw new WireError("UNKNOWN_STORE", "this host has no session stores");
  if (!body.identity && (body.workspace === undefined || body.workspace.type === "identity")) {
    throw new WireError("VALIDATION", "without an identity a workspace is required", {
      errors: [{ pointer: "/workspace", message: "required when identity is absent" }],
    });
  }
  return { engine };
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
