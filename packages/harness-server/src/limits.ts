/** What one host serves at the most. Bytes, milliseconds, counts. All of it stands in `/v1/health`. */
export interface HostLimits {
  readonly maxBodyBytes: number;
  readonly maxFileBytes: number;
  readonly maxLiveSessions: number;
  readonly maxReaders: number;
  readonly maxQueuedMessages: number;
  /** Of one message of an engine, as JSON text; a larger one ends the engine's turn. */
  readonly maxMessageBytes: number;
  /** A request's headers must be there within this time, and its JSON body within that. */
  readonly headersMs: number;
  readonly bodyMs: number;
  readonly permissionExpiryMs: number;
  readonly idleTtlMs: number;
  readonly endedRetentionMs: number;
  /** Beyond this many, those that ended first are forgotten earlier. */
  readonly maxEndedSessions: number;
  readonly engineStartMs: number;
  readonly silenceNoticeMs: number;
  readonly heartbeatMs: number;
  readonly readerStallMs: number;
  readonly readerHighWaterBytes: number;
  /** An engine waits for the slowest live reader beyond this many bytes, but not longer than that. */
  readonly readerHoldBytes: number;
  readonly readerHoldMs: number;
  /** After this an engine that does not stop is killed and the end event is forced. */
  readonly stopGraceMs: number;
  /** A chat client that left may come back within this time. */
  readonly chatGraceMs: number;
  readonly reaperIntervalMs: number;
  readonly journalMaxEvents: number;
  readonly journalMaxBytes: number;
  readonly journalMaxHostBytes: number;
  readonly journalMaxAgeMs: number;
  /** So many of a session's newest events are kept whatever their age and size, unless the host's bytes are used up. */
  readonly journalMinEvents: number;
}

const MINUTE = 60_000;
const MIB = 1024 * 1024;

/** The defaults of the Harness Protocol. */
export const DEFAULT_LIMITS: HostLimits = {
  maxBodyBytes: 32 * MIB,
  maxFileBytes: 256 * MIB,
  maxLiveSessions: 64,
  maxReaders: 256,
  maxQueuedMessages: 100,
  maxMessageBytes: 64 * MIB,
  headersMs: 15_000,
  bodyMs: 60_000,
  permissionExpiryMs: 30 * MINUTE,
  idleTtlMs: 60 * MINUTE,
  endedRetentionMs: 10 * MINUTE,
  maxEndedSessions: 1000,
  engineStartMs: 30_000,
  silenceNoticeMs: 5 * MINUTE,
  heartbeatMs: 15_000,
  readerStallMs: 30_000,
  readerHighWaterBytes: MIB,
  readerHoldBytes: 8 * MIB,
  readerHoldMs: 2000,
  stopGraceMs: 4000,
  chatGraceMs: 2000,
  reaperIntervalMs: 5000,
  journalMaxEvents: 100_000,
  journalMaxBytes: 64 * MIB,
  journalMaxHostBytes: 256 * MIB,
  journalMaxAgeMs: 60 * MINUTE,
  journalMinEvents: 1000,
};
