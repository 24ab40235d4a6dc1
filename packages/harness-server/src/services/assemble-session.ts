import { FencedError, type ModelGrant, type NoticeData, PROTOCOL_VERSION } from "@computeragent/protocol";
import { createMasker } from "@computeragent/redaction";
import { EventLog } from "../log/event-log.ts";
import { createJudge } from "../session/judge.ts";
import { limitReached } from "../session/limit-reached.ts";
import { PermissionDesk } from "../session/permission-desk.ts";
import { Session } from "../session/session.ts";
import { SessionRunner } from "../session/session-runner.ts";
import type { SessionSpec } from "../session/session-spec.ts";
import { TurnQueue } from "../session/turn-queue.ts";
import { UsageMeter } from "../session/usage-meter.ts";
import { WallClock } from "../session/wall-clock.ts";
import { engineContext } from "./engine-context.ts";
import type { Host } from "./host.ts";
import { openModel } from "./open-model.ts";
import { removeDirs } from "./remove-dirs.ts";
import { secretValues } from "./session-envs.ts";
import { SessionLink, type SessionPlan } from "./session-link.ts";

/** Opens the model access, wires the parts of a session, registers it and writes its first events. Leaves no half session. */
export async function assembleSession(host: Host, plan: SessionPlan, notices: readonly NoticeData[]): Promise<Session> {
  const link = new SessionLink(notices);
  const meter = new UsageMeter();
  const { grant, envs } = await openModel(host, plan, meter, link);
  const secrets = [...(host.config.secrets ?? []), ...secretValues(plan.callerEnvs), ...(grant ? [grant.token] : [])];
  const session = wire(host, { ...plan, envs, secrets }, { link, meter, grant });
  link.session = session;
  host.registry.add(session);
  if (!(await announce(host, session, link.early))) {
    host.registry.remove(session);
    await session.parts.runner.end("error");
    throw new Error("the first events of a session could not be recorded");
  }
  return session;
}

interface Given {
  readonly link: SessionLink;
  readonly meter: UsageMeter;
  readonly grant: ModelGrant | undefined;
}

function wire(host: Host, spec: SessionSpec, { link, meter, grant }: Given): Session {
  const { limits, logger } = host.config;
  const masker = createMasker({ secrets: spec.secrets });
  const log: EventLog = new EventLog({
    journal: host.journal,
    stream: spec.stream,
    fence: 1,
    masker,
    hold: { bytes: limits.readerHoldBytes, ms: limits.readerHoldMs },
    maxMessageBytes: limits.maxMessageBytes,
    onFailure: (error) => {
      logger.error({ err: error, sessionId: spec.id }, "events cannot be recorded: the session is ended");
      const code = error instanceof FencedError ? "OWNER_LOST" : "INTERNAL";
      void link.session?.parts.runner.end("error", { code, class: "permanent" });
    },
  });
  const clock = new WallClock(spec.limits.maxWallMs, () => {
    const detail = `the session has run for ${spec.limits.maxWallMs} ms`;
    if (link.session) limitReached(log, link.session.parts.runner, "maxWallMs", detail);
  });
  const { compliance } = spec.governance;
  const permissions = new PermissionDesk({
    judge: createJudge(spec, host.config.hostHome),
    mask: (data) => masker.json(data),
    requested: (data, onSeq) => log.emit("ca_permission_request", data, onSeq),
    resolved: (data) => {
      log.emit("ca_permission_resolved", data);
      return log.committed();
    },
    changed: (open) => {
      clock.set({ waiting: open > 0 });
      link.session?.touch();
    },
    expiryMs: limits.permissionExpiryMs,
    ...(compliance ? { compliance: { ...compliance, rule_citations: [...(compliance.rule_citations ?? [])] } } : {}),
  });
  const runner = new SessionRunner({
    spec,
    log,
    permissions,
    meter,
    queue: new TurnQueue(limits.maxQueuedMessages),
    clock,
    limits: { startMs: limits.engineStartMs, stopGraceMs: limits.stopGraceMs },
    logger,
    brokered: grant !== undefined,
    engineContext: (resume) => engineContext(spec, grant, permissions, resume),
    ended: async (reason) => {
      if (link.session) link.session.ended = { reason, at: Date.now() };
      link.session?.attendance.close();
      await grant?.close();
      await removeDirs(host, [spec.dirs.tmp]);
      logger.info({ sessionId: spec.id, reason, late: log.dropped }, "session ended");
    },
    touched: () => link.session?.touch(),
  });
  return new Session({ spec, log, permissions, meter, grant, runner });
}

/** Writes the first events; false if they could not be recorded. */
async function announce(host: Host, session: Session, notices: readonly NoticeData[]): Promise<boolean> {
  const { spec, log, grant } = session.parts;
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
  for (const notice of notices) log.emit("ca_notice", notice);
  return await log.committed();
}
