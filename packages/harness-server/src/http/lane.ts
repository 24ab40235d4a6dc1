import { setTimeout as sleep } from "node:timers/promises";

/** The longest pause after a piece of work. */
const MAX_PAUSE_MS = 100;

let last: Promise<void> = Promise.resolve();

/**
 * Does work that holds up the event loop for a moment, one piece after another and with a pause as long as the work between them:
 * however many ask for it at once, everybody else waits no longer than for one piece.
 */
export function inLane<T>(work: () => T | Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  last = last.then(async () => {
    const startedAt = performance.now();
    try {
      resolve(await work());
    } catch (error) {
      reject(error);
    }
    await sleep(Math.min(performance.now() - startedAt, MAX_PAUSE_MS));
  });
  return promise;
}
