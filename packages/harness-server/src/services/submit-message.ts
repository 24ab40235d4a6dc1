import { type UserMessage, WireError } from "@computeragent/protocol";
import type { Session } from "../session/session.ts";
import type { QueuedTurn } from "../session/turn.ts";

/** Queues messages as one turn and starts it if the engine is free. Throws SESSION_ENDED or LIMIT_REACHED. */
export function queueMessages(session: Session, messages: readonly UserMessage[]): QueuedTurn {
  requireLive(session);
  const { runner } = session.parts;
  if (runner.inputEnded) {
    throw new WireError("SESSION_ENDED", "the input of this session was ended; it finishes once its turns are done");
  }
  const queued = runner.queue.add(messages);
  session.touch();
  runner.dispatch();
  return queued;
}

/** Hands a message to the running turn; without one it is queued. Throws UNSUPPORTED_CAPABILITY, SESSION_ENDED, LIMIT_REACHED. */
export function steerMessage(session: Session, message: UserMessage): QueuedTurn {
  requireLive(session);
  const { runner, spec } = session.parts;
  if (!spec.engine.capabilities.includes("steer")) {
    const detail = `the engine ${spec.engine.name} cannot be steered; use delivery "queue"`;
    throw new WireError("UNSUPPORTED_CAPABILITY", detail);
  }
  if (!runner.turn || runner.inputEnded) return queueMessages(session, [message]);
  session.touch();
  return runner.steer(message);
}

/** Throws SESSION_ENDED if the session has ended or is about to. */
export function requireLive(session: Session): Session {
  if (session.ended || session.parts.runner.ending) throw new WireError("SESSION_ENDED", "the session has ended");
  return session;
}
