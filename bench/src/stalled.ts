import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { mockSession, postJson } from "./http.ts";
import { startReaders } from "./processes.ts";
import { type ServeProcess, serve } from "./serve.ts";
import { median, round } from "./statistics.ts";

const EVENTS = 200_000;

/**
 * What a reader costs that connects and never reads: the host's highest resident memory while 200 000 events go to one live reader,
 * with a stalled one beside it and without, in turns.
 */
export async function stalled(rounds: number): Promise<object> {
  const without: number[] = [];
  const beside: number[] = [];
  for (let i = 0; i < rounds; i++) {
    without.push(await peakMiB(false));
    beside.push(await peakMiB(true));
  }
  const moreMiB = round(median(beside) - median(without), 1);
  return {
    events: EVENTS,
    rounds,
    peakMiB: round(median(without), 1),
    peakWithStalledMiB: round(median(beside), 1),
    moreMiB,
  };
}

async function peakMiB(stall: boolean): Promise<number> {
  const host = await serve();
  const id = await mockSession(host);
  const path = `/v1/sessions/${id}`;
  const socket = stall ? await connectAndStall(host, `${path}/events`) : undefined;
  try {
    const { next } = await startReaders(`${host.url}${path}/events`, 1, { end: "ca_turn_ended", ends: 1 });
    await postJson(`${host.url}${path}/messages`, { message: { role: "user", content: `!stream ${EVENTS} 80 0` } });
    await next();
    const status = await readFile(`/proc/${host.pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
  } finally {
    socket?.destroy();
    await host.stop();
  }
}

async function connectAndStall(host: ServeProcess, path: string) {
  const { hostname, port } = new URL(host.url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`);
  await new Promise((resolve) => socket.once("readable", resolve));
  return socket;
}
