import {
  type EngineContext,
  type ModelGrant,
  type NoticeData,
  PROTOCOL_VERSION,
  type SessionEndReason,
} from "@computeragent/protocol";
import { createMasker } from "@computeragent/redaction";
import { EventLog } from "../log/event-log.ts";
import { createJudge } from "../session/judge.ts";
import { PermissionDesk } from "../session/permission-desk.ts";
import { Session } from "../session/session.ts";
import { SessionRunner } from "../session/session-runner.ts";
import type { SessionSpec } from "../session/session-spec.ts";
import { TurnQueue } from "../session/turn-queue.ts";
import { UsageMeter } from "../session/usage-meter.ts";
import type { Host } from "./host.ts";
import { agentEnvs, secretValues } from "./session-envs.ts";

/** Opens the model access, wires the parts of a session, registers it and writes its first events. */
export async function assembleSession(
  host: Host,
  base: Omit<SessionSpec, "envs" | "secrets">,
  notices: readonly NoticeData[],
): Promise<Session> {
  const { limits, models, logger } = host.config;
  const { callerEnvs: envs, route } = base;
  const meter = new UsageMeter();
  const late: { session?: Session } = {};
  const early: NoticeData[] = [...notices];
  const credentials = Object.fromEntries(
    Object.entries(envs).filter(([name]) => models?.credentialNames.includes(name) ?? false),
  );
  const consumed = base.engine.needsModel ? Object.keys(credentials) : [];
  const visible = agentEnvs(envs, consumed);
  const grant: ModelGrant | undefined =
    base.engine.needsModel && models
      ? await models.open({
          sessionId: base.id,
          limits: base.limits,
          ...(route === undefined ? {} : { route }),
          ...(consumed.length > 0 ? { credentials } : {}),
          onUsage: (call) => meter.add(call),
          onExhausted: () => void late.session?.parts.runner.end("budget_exceeded"),
          onNotice: (code, message) => {
            const notice: NoticeData = { level: "warning", code, message };
            if (late.session) late.session.parts.log.emit("ca_notice", notice);
            else early.push(notice);
          },
        })
      : undefined;
  const spec: SessionSpec = {
    ...base,
    envs: visible,
    secrets: [...secretValues(envs), ...(grant ? [grant.token] : [])],
  };
  const log: EventLog = new EventLog({
    journal: host.journal,
    stream: spec.stream,
    fence: 1,
    masker: createMasker({ secrets: spec.secrets }),
    onFailure: (error) => {
      logger.error({ err: error, sessionId: spec.id }, "events cannot be recorded: the session is ended");
      void late.session?.parts.runner.end("error", { code: "INTERNAL", class: "permanent" });
    },
  });
  const judge = createJudge(spec);
  const permissions: PermissionDesk = new PermissionDesk({
    judge,
    requested: (data, onSeq) => log.emit("ca_permission_request", data, onSeq),
    resolved: (data) => {
      log.emit("ca_permission_resolved", data);
      return log.committed();
    },
    changed: () => late.session?.touch(),
    expiryMs: limits.permissionExpiryMs,
    ...(spec.governance.compliance
      ? {
          compliance: {
            framework: spec.governance.compliance.framework,
            ...(spec.governance.compliance.rule_citations
              ? { rule_citations: [...spec.governance.compliance.rule_citations] }
              : {}),
          },
        }
      : {}),
  });
  const runner = new SessionRunner({
    spec,
    log,
    permissions,
    meter,
    queue: new TurnQueue(limits.maxQueuedMessages),
    limits: { startMs: limits.engineStartMs, stopGraceMs: limits.stopGraceMs },
    brokered: grant !== undefined,
    engineContext: (resume) => engineContext(spec, grant, permissions, resume),
    ended: async (reason: SessionEndReason) => {
      if (late.session) late.session.ended = { reason, at: Date.now() };
      await grant?.close();
      logger.info({ sessionId: spec.id, reason, late: log.dropped }, "session ended");
    },
    touched: () => late.session?.touch(),
  });
  const session = new Session({ spec, log, permissions, meter, grant, runner });
  late.session = session;
  host.registry.add(session);
  log.emit("ca_session_started", {
    sessionId: spec.id,
    harness: spec.engine.name,
    gap: spec.identity,
    model: spec.model,
    route: grant?.route.id ?? null,
    capabilities: spec.engine.capabilities,
    protocolVersion: PROTOCOL_VERSION,
    epoch: host.epoch,
  });
  for (const notice of early) log.emit("ca_notice", notice);
  await log.committed();
  return session;
}

function engineContext(
  spec: SessionSpec,
  grant: ModelGrant | undefined,
  permissions: PermissionDesk,
  resume: { engineSessionId: string } | undefined,
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
    ...(resume
      ? { resume: { engineSessionId: resume.engineSessionId, fork: "fork" in resume && resume.fork === true } }
      : {}),
  };
}
