import type { AuditRecord, EventJournal } from "@computeragent/protocol";
import type { ResolvedConfig } from "../config.ts";
import type { OwnedDirs } from "../owned-dirs.ts";
import type { SessionRegistry } from "../session/registry.ts";
import type { Heartbeat } from "../sse/heartbeat.ts";
import type { Turns } from "../turns.ts";

/** What the services of one host share. */
export interface Host {
  readonly hostId: string;
  readonly config: ResolvedConfig;
  readonly journal: EventJournal;
  readonly registry: SessionRegistry;
  readonly dirs: OwnedDirs;
  readonly tmpDirs: OwnedDirs;
  readonly epoch: string;
  readonly heartbeat: Heartbeat;
  /** Of the readers of event streams. */
  readonly readerTurns: Turns;
  /** Aborted when the host begins to shut down. */
  readonly closing: AbortSignal;
  /** Creates and forks that are under way. */
  readonly creating: Set<Promise<unknown>>;
  readers: number;
}

/** Writes an audit record; a sink that fails is logged, and never stops the work. */
export function audit(host: Host, record: Omit<AuditRecord, "at">): void {
  if (!host.config.audit) return;
  const failed = (error: unknown): void => {
    host.config.logger.error({ err: error, action: record.action, sessionId: record.sessionId }, "audit sink failed");
  };
  try {
    const done = host.config.audit.record({ at: Date.now(), ...record });
    if (done instanceof Promise) done.catch(failed);
  } catch (error) {
    failed(error);
  }
}
