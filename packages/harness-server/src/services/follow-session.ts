import { type FrameSink, WireError } from "@computeragent/protocol";
import type { Session } from "../session/session.ts";
import { controlFrame } from "../sse/encode.ts";
import { gapFrame, pumpReader, type Reach, type ReaderEnd } from "../sse/reader.ts";
import type { Host } from "./host.ts";

/** Where a reader begins: the id before the first one it gets, and a gap frame if that is not what it asked for. */
export interface Start {
  readonly cursor: number;
  readonly gap: Uint8Array | undefined;
  /** True when the session has ended and the reader has everything: 204. */
  readonly nothingLeft: boolean;
}

/** Reads the cursor of a request: `Last-Event-ID` wins over `after`; absent = from the oldest kept event. Throws VALIDATION. */
export function requestedCursor(header: string | undefined, after: string | undefined): number | null {
  const fromHeader = header !== undefined && header !== "";
  const text = fromHeader ? header : after;
  if (text === undefined || text === "" || (text === "-1" && !fromHeader)) return null;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const name = fromHeader ? "Last-Event-ID" : "after";
  throw new WireError("VALIDATION", `${name} must be an event id of this session: a whole number`);
}

/** Turns a requested cursor into a start. A cursor older than the log, or beyond its head, gets a gap frame and the whole log. */
export async function startOf(host: Host, session: Session, requested: number | null): Promise<Start> {
  const { oldest, head } = await host.journal.head(session.parts.spec.stream);
  const first = oldest ?? 0;
  const { ended } = session.parts.log.tail;
  if (requested === null) {
    return { cursor: first - 1, gap: first > 0 ? gapFrame(null, oldest, head) : undefined, nothingLeft: false };
  }
  if (requested < first - 1 || requested > (head ?? -1)) {
    return { cursor: first - 1, gap: gapFrame(requested, oldest, head), nothingLeft: false };
  }
  return { cursor: requested, gap: undefined, nothingLeft: ended && requested === head };
}

/**
 * Lets a sink follow a session from a start on. Resolves when the reader is done; what was written still goes out
 * then, unless the client takes nothing any more. Never rejects.
 */
export async function followSession(
  host: Host,
  session: Session,
  sink: FrameSink,
  start: Start,
  reach?: Reach,
): Promise<ReaderEnd> {
  const { log, permissions } = session.parts;
  const { readerStallMs } = host.config.limits;
  session.attendance.enter();
  host.readers++;
  session.touch();
  host.heartbeat.add(sink);
  try {
    return await pumpReader({
      log,
      sink,
      cursor: start.cursor,
      gap: start.gap,
      reach: reach ?? EVERYTHING,
      stallMs: readerStallMs,
      turns: host.readerTurns,
      passedOver: (after, upTo) =>
        permissions
          .pending()
          .filter(({ seq }) => seq !== undefined && seq > after && seq <= upTo)
          .map(({ request, seq }) => controlFrame("ca_permission_request", { ...request, redelivered: true, seq })),
    });
  } catch (error) {
    host.config.logger.error({ err: error, sessionId: session.id }, "a reader failed");
    sink.destroy();
    return "gone";
  } finally {
    session.attendance.leave();
    host.readers--;
    session.touch();
    closeInTime(sink, readerStallMs);
  }
}

const EVERYTHING: Reach = { from: () => -1, to: () => undefined };

/** Ends a stream; a client that does not take the rest of it in time is cut off. */
function closeInTime(sink: FrameSink, ms: number): void {
  sink.close();
  const timer = setTimeout(() => sink.destroy(), ms);
  timer.unref();
  void sink.closed.then(() => clearTimeout(timer));
}

/** Throws LIMIT_REACHED when the host has all the readers it serves. */
export function requireReaderSlot(host: Host): void {
  if (host.readers >= host.config.limits.maxReaders) {
    throw new WireError("LIMIT_REACHED", `${host.config.limits.maxReaders} readers are connected already`);
  }
}
