// Progress of the set-up: plain lines on stderr, one when a step begins and one when it ends.

const HEARTBEAT_MS = 10_000;

/** @typedef {{ line(text: string): void, write(text: string): void, verbose: boolean, step<T>(label: string, work: (note: (text: string) => void) => Promise<T>): Promise<T> }} Report */

/** @param {number} since milliseconds, from `performance.now()` */
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/**
 * @param {{ verbose?: boolean, stream?: { write(text: string): unknown }, heartbeatMs?: number }} [options]
 * @returns {Report}
 */
export function createReport({ verbose = false, stream = process.stderr, heartbeatMs = HEARTBEAT_MS } = {}) {
  /** @param {string} text */
  const line = (text) => void stream.write(`[setup] ${text}\n`);
  return {
    line,
    verbose,
    write: (text) => void stream.write(text),
    async step(label, work) {
      const start = performance.now();
      let latest = "";
      line(`${label} ...`);
      const timer = setInterval(
        () => line(`  still at it after ${seconds(start)}${latest && `: ${latest}`}`),
        heartbeatMs,
      );
      try {
        const result = await work((text) => {
          latest = text;
        });
        line(`  done in ${seconds(start)}`);
        return result;
      } catch (error) {
        line(`  failed after ${seconds(start)}`);
        throw error;
      } finally {
        clearInterval(timer);
      }
    },
  };
}
