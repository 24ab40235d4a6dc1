import { type FrameSink, WireError } from "@computeragent/protocol";
import type { Session } from "../session/session.ts";
import { controlFrame } from "../sse/encode.ts";
import { gapFrame, pumpReader, type ReaderEnd } from "../sse/reader.ts";
import type { Host } from "./host.ts";

/** Where a reader begins: the id before the first one it gets, and a gap frame if that is not what it asked for. */
export interface Start {
  readonly cursor: number;
  readonly gap: Uint8Array | undefined;
  /** True when the session has ended and the reader has everything: 204. */
  readonly nothingLeft: boolean;
}

/** Reads the cursor of a request: `Last-Event-ID` wins over `after`; absent = from the oldest kept event. */
export function requestedCursor(header: string | undefined, after: number | undefined): number | null {
  if (header === undefined || header === "") return after === undefined || after < 0 ? null : after;
  if (!/^\d{1,15}$/.test(header)) {
    throw new WireError("VALIDATION", "Last-Event-ID must be an event id of this session: a whole number");
  }
  return Number(header);
}

/** Turns a requested cursor into a start. A cursor older than the log, or beyond its head, gets a gap frame and the whole log. */
export async function startOf(host: Host, session: Session, requested: number | null): Promise<Start> {
  const { oldest, head } = await host.journal.head(session.parts.spec.stream);
  const first = oldest ?? 0;
  const ended = session.parts.log.tail.ended;
  if (requested === null) {
    return { cursor: first - 1, gap: first > 0 ? gapFrame(null, oldest, head) : undefined, nothingLeft: false };
  }
  if (requested < first - 1 || requested > (head ?? -1)) {
    return { cursor: first - 1, gap: gapFrame(requested, oldest, head), nothingLeft: false };
  }
  return { cursor: requested, gap: undefined, nothingLeft: ended && requested === head };
}

/** Lets a sink follow a session from a start on. Resolves when the reader is done; the sink is closed then. */
export async function followSession(
  host: Host,
  session: Session,
  sink: FrameSink,
  start: Start,
  until?: () => number | undefined,
): Promise<ReaderEnd> {
  const preamble = start.gap ? [start.gap] : [];
  for (const { request, seq } of session.parts.permissions.open()) {
    if (seq !== undefined && seq <= start.cursor) {
      preamble.push(controlFrame("ca_permission_request", { ...request, redelivered: true, seq }));
    }
  }
  session.readers++;
  host.readers++;
  session.touch();
  host.heartbeat.add(sink);
  try {
    return await pumpReader({
      log: session.parts.log,
      sink,
      cursor: start.cursor,
      preamble,
      stallMs: host.config.limits.readerStallMs,
      ...(until ? { until } : {}),
    });
  } finally {
    session.readers--;
    host.readers--;
    session.touch();
    sink.close();
  }
}

/** Throws LIMIT_REACHED when the host has all the readers it serves. */
export function requireReaderSlot(host: Host): void {
  if (host.readers >= host.config.limits.maxReaders) {
    throw new WireError("LIMIT_REACHED", `${host.config.limits.maxReaders} readers are connected already`);
  }
}
