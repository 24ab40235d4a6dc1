import { startHost } from "./host.ts";
import { here, startServer } from "./processes.ts";
import { percentile, round } from "./statistics.ts";

const MESSAGES = 300;

/** Message sent until the first event of its turn arrives, against the same on the raw server. One client, one after another. */
export async function latency(): Promise<object> {
  const raw = await rawLatency();
  const host = await hostLatency();
  return {
    messages: MESSAGES,
    raw: { p50Ms: round(percentile(raw, 0.5)), p99Ms: round(percentile(raw, 0.99)) },
    host: { p50Ms: round(percentile(host, 0.5)), p99Ms: round(percentile(host, 0.99)) },
    ratioP50: round(percentile(host, 0.5) / percentile(raw, 0.5)),
  };
}

async function rawLatency(): Promise<number[]> {
  const server = await startServer([here("raw-server.ts")], "/");
  const stream = await fetch(`${server.url}/events`);
  const values = await measure(
    stream,
    () => fetch(`${server.url}/go?n=1`, { method: "POST" }),
    "event: e\n",
    "event: end\n",
  );
  await server.stop();
  return values;
}

async function hostLatency(): Promise<number[]> {
  const host = await startHost();
  const id = await host.session();
  const stream = await fetch(`${host.url}/v1/sessions/${id}/events`);
  const say = () => host.post(`/v1/sessions/${id}/messages`, { message: { role: "user", content: "!say hi" } });
  const values = await measure(stream, say, "event: ca_turn_started\n", "event: ca_turn_ended\n");
  await host.stop();
  return values;
}

async function measure(stream: Response, send: () => Promise<unknown>, first: string, last: string): Promise<number[]> {
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
  return values.slice(50);
}
