import type { ModelGrant, SessionEndedData, SessionInfo, SessionStatus } from "@computeragent/protocol";
import type { EventLog } from "../log/event-log.ts";
import { Attendance } from "./attendance.ts";
import type { PermissionDesk } from "./permission-desk.ts";
import type { SessionRunner } from "./session-runner.ts";
import type { SessionSpec } from "./session-spec.ts";
import type { UsageMeter } from "./usage-meter.ts";

/** The parts of a session. */
export interface SessionParts {
  readonly spec: SessionSpec;
  readonly log: EventLog;
  readonly permissions: PermissionDesk;
  readonly meter: UsageMeter;
  readonly grant: ModelGrant | undefined;
  readonly runner: SessionRunner;
}

/** One conversation bound to one engine in one workspace: what it is made of and how it stands. */
export class Session {
  readonly parts: SessionParts;
  readonly attendance = new Attendance();
  readonly createdAt = Date.now();
  lastActivityAt = Date.now();
  ended: { reason: SessionEndedData["reason"]; at: number } | undefined;

  constructor(parts: SessionParts) {
    this.parts = parts;
  }

  get id(): string {
    return this.parts.spec.id;
  }

  get status(): SessionStatus {
    if (this.ended) return "ended";
    if (this.parts.permissions.pending().length > 0) return "waiting_permission";
    return this.parts.runner.turn ? "running" : "idle";
  }

  /** Something was done with the session: its idle time begins anew. */
  touch(): void {
    this.lastActivityAt = Date.now();
  }

  info(): SessionInfo {
    const { spec, log, permissions, meter, runner, grant } = this.parts;
    return {
      sessionId: spec.id,
      engine: spec.engine.name,
      identity: spec.identity,
      status: this.status,
      createdAt: new Date(this.createdAt).toISOString(),
      lastActivityAt: new Date(this.lastActivityAt).toISOString(),
      turnId: runner.turn?.turnId ?? null,
      turns: runner.turns,
      queued: runner.queue.length,
      readers: this.attendance.readers,
      pendingPermissions: permissions.pending().length,
      model: spec.model,
      route: grant?.route.id ?? null,
      access: spec.access,
      permissionMode: spec.permissionMode,
      limits: spec.limits,
      capabilities: [...spec.engine.capabilities],
      usage: meter.session,
      headId: log.tail.head < 0 ? null : log.tail.head,
      ended: this.ended ? { reason: this.ended.reason, at: new Date(this.ended.at).toISOString() } : null,
      eventsUrl: `/v1/sessions/${spec.id}/events`,
    };
  }
}
