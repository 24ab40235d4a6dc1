import type { EngineContext, EngineState, ModelGrant } from "@computeragent/protocol";
import type { PermissionDesk } from "../session/permission-desk.ts";
import type { SessionSpec } from "../session/session-spec.ts";

/** What the engine of a session gets. `resume` with `fork: true` = the engine's conversation is another session's. */
export function engineContext(
  spec: SessionSpec,
  grant: ModelGrant | undefined,
  permissions: PermissionDesk,
  resume: (EngineState & { readonly fork?: boolean }) | undefined,
): Omit<EngineContext, "input" | "signal"> {
  return {
    sessionId: spec.id,
    workspace: spec.dirs.workspace,
    home: spec.dirs.home,
    tmp: spec.dirs.tmp,
    envs: spec.envs,
    model: {
      fallbacks: spec.fallbacks,
      ...(spec.model === null ? {} : { name: spec.model }),
      ...(grant ? { access: { route: grant.route, baseUrl: grant.baseUrl, token: grant.token } } : {}),
    },
    profile: spec.profile,
    options: spec.options,
    access: spec.access,
    permissionMode: spec.permissionMode,
    ...(spec.limits.maxTurns === undefined ? {} : { maxTurns: spec.limits.maxTurns }),
    includePartials: spec.includePartials,
    authorize: (call) => permissions.authorize(call),
    ...(resume ? { resume: { engineSessionId: resume.engineSessionId, fork: resume.fork === true } } : {}),
  };
}
