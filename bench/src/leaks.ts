import { type Footprint, footprint } from "./footprint.ts";
import { type ServeProcess, serve } from "./serve.ts";

const AT_ONCE = 8;
const RETENTION_MS = 1000;

/** What a host holds before, and after sessions came and went and could be forgotten. Milliseconds for the last stop. */
export interface Leaks {
  readonly before: Footprint;
  readonly after: readonly { readonly sessions: number; readonly footprint: Footprint }[];
  readonly stopMs: number;
}

/**
 * Lets sessions of the mock engine come and go, some at once: each gets folders of its own, works, is read to its end and
 * deleted; every fourth leaves a process behind. Then the host is given time to forget them, and looked at.
 */
export async function leaks(batches: readonly number[]): Promise<Leaks> {
  const host = await serve({ endedRetentionMs: RETENTION_MS, reaperIntervalMs: 200 });
  let stopped = false;
  try {
    // The first sessions load code and warm up: they belong to what is there before.
    await comeAndGo(host, 50);
    const before = await footprint(host.pid, host.home);
    const after: Leaks["after"][number][] = [];
    let sessions = 0;
    for (const batch of batches) {
      await comeAndGo(host, batch);
      sessions += batch;
      after.push({ sessions, footprint: await footprint(host.pid, host.home) });
    }
    const startedAt = performance.now();
    await host.stop();
    stopped = true;
    return { before, after, stopMs: Math.round(performance.now() - startedAt) };
  } finally {
    if (!stopped) await host.stop();
  }
}

async function comeAndGo(host: ServeProcess, count: number): Promise<void> {
  let left = count;
  const one = async (): Promise<void> => {
    while (left > 0) await session(host, left-- % 4 === 0);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  for (;;) {
    const { sessions } = (await host.call("GET", "/v1/health")) as { sessions: { known: number } };
    if (sessions.known === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  // Connections of readers close a moment after their session.
  await new Promise((resolve) => setTimeout(resolve, 1000));
}

async function session(host: ServeProcess, leavesProcess: boolean): Promise<void> {
  const command = leavesProcess ? "!bash sleep 300 & echo done\n" : "";
  const { sessionId } = await host.call("POST", "/v1/sessions", {
    engine: "mock",
    identity: { loader: "mock", source: { type: "inline", manifest: {} } },
    permissionMode: "auto",
    messages: [{ role: "user", content: `!write a.txt hello\n${command}!stream 20 200 0` }],
  });
  const path = `/v1/sessions/${sessionId}`;
  const events = await fetch(`${host.url}${path}/events`);
  const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; !text.includes("ca_turn_ended"); ) {
    const next = await reader?.read();
    if (!next || next.done) throw new Error("the stream ended before the turn");
    text = text.slice(-100) + next.value;
  }
  await host.call("DELETE", path);
  while (!(await reader?.read())?.done);
}

if (import.meta.main) {
  process.stdout.write(`${JSON.stringify(await leaks([1000, 200, 200]), null, 2)}\n`);
}
