import { startHost } from "./host.ts";
import { postJson } from "./http.ts";
import { here, startServer } from "./processes.ts";
import { percentile, round } from "./statistics.ts";

const MESSAGES = 2000;
/** The first ones only warm both processes up. */
const WARM_UP = 1000;

/** Milliseconds from sending a message to the first event of its turn, one after another. */
export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Message sent until the first event of its turn arrives, against the same on the raw server. One client, one after another. */
export async function latency(): Promise<object> {
  const raw = await rawLatency();
  const host = await hostLatency();
  return { messages: MESSAGES - WARM_UP, raw, host, ratioP50: round(host.p50Ms / raw.p50Ms) };
}

async function rawLatency(): Promise<Latency> {
  const server = await startServer([here("raw-server.ts")], "/");
  const stream = await fetch(`${server.url}/events`);
  const send = () => fetch(`${server.url}/go?n=1`, { method: "POST" }).then((answer) => answer.text());
  const values = await measure(stream, send, "event: e\n", "event: end\n");
  await server.stop();
  return values;
}

async function hostLatency(): Promise<Latency> {
  const host = await startHost();
  const id = await host.session();
  const stream = await fetch(`${host.url}/v1/sessions/${id}/events`);
  const body = { message: { role: "user", content: "!say hi" } };
  const send = () => postJson(`${host.url}/v1/sessions/${id}/messages`, body);
  const values = await measure(stream, send, "event: ca_turn_started\n", "event: ca_turn_ended\n");
  await host.stop();
  return values;
}

/** Sends, and waits for `first` and `last` in the stream, again and again. */
export async function measure(
  stream: Response,
  send: () => Promise<unknown>,
  first: string,
  last: string,
): Promise<Latency> {
  const reader = stream.body?.getReader();
  if (!reader) throw new Error("no stream");
  const decoder = new TextDecoder();
  const values: number[] = [];
  let text = "";
  for (let i = 0; i < MESSAGES; i++) {
    const startedAt = performance.now();
    const sent = send();
    let seen: number | undefined;
    while (!text.includes(last)) {
      text += decoder.decode((await reader.read()).value, { stream: true });
      if (seen === undefined && text.includes(first)) seen = performance.now() - startedAt;
    }
    text = text.slice(text.indexOf(last) + last.length);
    await sent;
    values.push(seen ?? Number.NaN);
  }
  await reader.cancel();
  const warm = values.slice(WARM_UP);
  return { p50Ms: round(percentile(warm, 0.5)), p99Ms: round(percentile(warm, 0.99)) };
}
