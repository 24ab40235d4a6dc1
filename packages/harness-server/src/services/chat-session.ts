import { type CreateSessionBody, type Principal, type UserMessage, WireError } from "@computeragent/protocol";
import type { Session } from "../session/session.ts";
import type { ReaderEnd } from "../sse/reader.ts";
import { createSession, originOf } from "./create-session.ts";
import type { Start } from "./follow-session.ts";
import type { Host } from "./host.ts";
import { purgeSession } from "./purge-session.ts";
import { queueMessages } from "./submit-message.ts";

/** One chat call: what to stream, and what to do when the reader has left. */
export interface Talk {
  readonly session: Session;
  readonly start: Start;
  readonly until?: () => number | undefined;
  left(end: ReaderEnd): Promise<void>;
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
  queueMessages(session, messages);
  session.parts.runner.inputEnded = true;
  return {
    session,
    start: { cursor: -1, gap: undefined, nothingLeft: false },
    async left(end) {
      if (end !== "complete" && (await abandoned(host, session))) await session.parts.runner.end("cancelled");
      if (end === "complete") await session.parts.runner.end("complete").then(() => purgeSession(host, session));
    },
  };
}

function joinSession(host: Host, session: Session, body: CreateSessionBody, messages: readonly UserMessage[]): Talk {
  const { runner, log, spec } = session.parts;
  if (originOf(body) !== spec.origin) {
    throw new WireError("SESSION_EXISTS", "a live session with this id has another engine or identity");
  }
  const cursor = log.tail.head;
  const queued = queueMessages(session, messages);
  return {
    session,
    start: { cursor, gap: undefined, nothingLeft: false },
    until: () => queued.turn?.endSeq,
    async left(end) {
      if (end === "complete" || !(await abandoned(host, session))) return;
      if (!runner.queue.drop(queued) && runner.turn === queued.turn) await runner.interrupt("the chat client left");
    },
  };
}

/** Waits for the grace time; true when nobody reads the session after it. */
async function abandoned(host: Host, session: Session): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, host.config.limits.chatGraceMs));
  return session.readers === 0 && !session.ended;
}
