import { type CreateSessionBody, type Principal, type UserMessage, WireError } from "@computeragent/protocol";
import type { Session } from "../session/session.ts";
import type { Reach, ReaderEnd } from "../sse/reader.ts";
import { createSession, originOf } from "./create-session.ts";
import type { Start } from "./follow-session.ts";
import type { Host } from "./host.ts";
import { purgeSession } from "./purge-session.ts";
import { queueMessages } from "./submit-message.ts";

/** One chat call: what to stream, and what to do when the stream is over. */
export interface Talk {
  readonly session: Session;
  readonly start: Start;
  readonly reach?: Reach;
  done(end: ReaderEnd): Promise<void>;
}

/** Runs one more turn in a live session of the caller, or a session of its own that ends with the turn. */
export async function chatSession(
  host: Host,
  body: CreateSessionBody,
  messages: readonly UserMessage[],
  principal: Principal,
  signal: AbortSignal,
): Promise<Talk> {
  const known = body.sessionId === undefined ? undefined : host.registry.find(body.sessionId, principal);
  if (known && !known.ended) return joinSession(host, known, body, messages);
  const session = await createSession(host, body, principal, signal);
  const { runner } = session.parts;
  const remove = async (): Promise<void> => {
    await runner.end("complete");
    await purgeSession(host, session);
  };
  try {
    queueMessages(session, messages);
  } catch (error) {
    await remove();
    throw error;
  }
  runner.inputEnded = true;
  session.attendance.whenAlone(host.config.limits.chatGraceMs, () => void runner.end("cancelled"));
  return {
    session,
    start: { cursor: -1, gap: undefined, nothingLeft: false },
    // A client that left may still read the rest through the session's events.
    done: async (end) => (end === "complete" ? await remove() : undefined),
  };
}

function joinSession(host: Host, session: Session, body: CreateSessionBody, messages: readonly UserMessage[]): Talk {
  const { runner, log, spec } = session.parts;
  if (originOf(body) !== spec.origin) {
    throw new WireError("SESSION_EXISTS", "a live session with this id has another engine or identity");
  }
  const cursor = log.tail.head;
  const queued = queueMessages(session, messages);
  const leave = (): void => {
    if (!runner.queue.drop(queued) && runner.turn === queued.turn) void runner.interrupt("the chat client left");
  };
  const callOff = session.attendance.whenAlone(host.config.limits.chatGraceMs, leave);
  return {
    session,
    start: { cursor, gap: undefined, nothingLeft: false },
    reach: { from: () => queued.turn?.startSeq, to: () => queued.turn?.endSeq },
    done: async (end) => (end === "complete" ? callOff() : undefined),
  };
}
