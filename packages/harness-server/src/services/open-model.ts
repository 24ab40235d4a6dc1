import type { ModelGrant } from "@computeragent/protocol";
import { limitReached } from "../session/limit-reached.ts";
import type { UsageMeter } from "../session/usage-meter.ts";
import type { Host } from "./host.ts";
import type { SessionLink, SessionPlan } from "./session-link.ts";

/** What a session got of the host's model access. */
export interface OpenedModel {
  readonly grant: ModelGrant | undefined;
  /** The caller's variables that the agent may see: without the model credentials. */
  readonly envs: Readonly<Record<string, string>>;
}

/** Opens the model access that an engine needs; the caller's own credentials make a private route. Throws UNKNOWN_ROUTE. */
export async function openModel(
  host: Host,
  plan: SessionPlan,
  meter: UsageMeter,
  link: SessionLink,
): Promise<OpenedModel> {
  const { models } = host.config;
  const { callerEnvs, route } = plan;
  if (!plan.engine.needsModel || !models) return { grant: undefined, envs: callerEnvs };
  const isCredential = ([name]: [string, string]): boolean => models.credentialNames.includes(name);
  const credentials = Object.entries(callerEnvs).filter(isCredential);
  const grant = await models.open({
    sessionId: plan.id,
    limits: plan.limits,
    ...(route === undefined ? {} : { route }),
    ...(credentials.length > 0 ? { credentials: Object.fromEntries(credentials) } : {}),
    onUsage: (call) => meter.add(call),
    onExhausted: (limit, detail) => {
      if (link.session) limitReached(link.session.parts.log, link.session.parts.runner, limit, detail);
    },
    onNotice: (code, message) => link.notice({ level: "warning", code, message }),
  });
  const visible = Object.entries(callerEnvs).filter(
    (entry) => !isCredential(entry) && !grant.consumedEnvs.includes(entry[0]),
  );
  return { grant, envs: Object.fromEntries(visible) };
}
