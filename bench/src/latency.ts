import { tmpdir } from "node:os";
import { createSession, mockSession, postJson } from "./http.ts";
import { here, NODE, type ServerProcess, startServer } from "./processes.ts";
import { serve } from "./serve.ts";
import { median, percentile, round } from "./statistics.ts";

const MESSAGES = 2000;
/** The first ones only warm both processes up. */
const WARM_UP = 1000;

/** Milliseconds from sending a message to the first event of its turn, one after another. */
export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** What is measured: the raw server, our servers, and any peer by its name. */
export type Ways = Readonly<Record<string, () => Promise<Latency>>>;

/**
 * A message sent until the first event of its turn arrives. One client, one message after another; medians of `rounds`, in turns.
 * `echo` is our server with an engine that only answers, `echoOnDisk` the same with the journal on the disk, `host` the whole host with the mock engine, which keeps a history on the disk.
 */
export async function latency(rounds: number, peers: Ways = {}): Promise<object> {
  const ours: Ways = { echo: () => echoLatency(), echoOnDisk: () => echoLatency(["sqlite"]), host: hostLatency };
  const others: Ways = { raw: rawLatency, ...peers };
  const ways = { ...others, ...ours };
  const seen = new Map<string, Latency[]>(Object.keys(ways).map((name) => [name, []]));
  for (let i = 0; i < rounds; i++) for (const [name, way] of Object.entries(ways)) seen.get(name)?.push(await way());
  const middle = (name: string): Latency => {
    const list = seen.get(name) ?? [];
    return { p50Ms: median(list.map((one) => one.p50Ms)), p99Ms: median(list.map((one) => one.p99Ms)) };
  };
  const ratios = (name: string) =>
    Object.fromEntries(Object.keys(others).map((other) => [other, round(middle(name).p50Ms / middle(other).p50Ms)]));
  return {
    messages: MESSAGES - WARM_UP,
    rounds,
    ...Object.fromEntries(Object.keys(ways).map((name) => [name, middle(name)])),
    p50To: Object.fromEntries(Object.keys(ours).map((name) => [name, ratios(name)])),
  };
}

async function rawLatency(): Promise<Latency> {
  const server = await startServer([...NODE, here("raw-server.ts")], "/");
  const stream = await fetch(`${server.url}/events`);
  const send = () => fetch(`${server.url}/go?n=1`, { method: "POST" }).then((answer) => answer.text());
  const values = await measure(
    stream,
    send,
    () => "event: e\n",
    () => "event: end\n",
  );
  await server.stop();
  return values;
}

async function echoLatency(args: readonly string[] = []): Promise<Latency> {
  const server = await startServer([...NODE, here("journal-server.ts"), ...args], "/v1/health");
  const id = await createSession(server.url, { engine: "ready-made", workspace: { type: "local", path: tmpdir() } });
  return await turns(server, id, "1");
}

async function hostLatency(): Promise<Latency> {
  const host = await serve();
  return await turns(host, await mockSession(host), "!say hi");
}

async function turns(server: ServerProcess, id: string, content: string): Promise<Latency> {
  const stream = await fetch(`${server.url}/v1/sessions/${id}/events`);
  const send = () => postJson(`${server.url}/v1/sessions/${id}/messages`, { message: { role: "user", content } });
  const values = await measure(
    stream,
    send,
    () => "event: ca_turn_started\n",
    () => "event: ca_turn_ended\n",
  );
  await server.stop();
  return values;
}

/** Sends, and waits for `first` and then `last` of the nth message (from 0) in the stream, again and again. */
export async function measure(
  stream: Response,
  send: () => Promise<unknown>,
  first: (nth: number) => string,
  last: (nth: number) => string,
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
    const [begin, end] = [first(i), last(i)];
    while (!text.includes(end)) {
      text += decoder.decode((await reader.read()).value, { stream: true });
      if (seen === undefined && text.includes(begin)) seen = performance.now() - startedAt;
    }
    text = text.slice(text.indexOf(end) + end.length);
    await sent;
    values.push(seen ?? Number.NaN);
  }
  await reader.cancel();
  const warm = values.slice(WARM_UP);
  return { p50Ms: round(percentile(warm, 0.5)), p99Ms: round(percentile(warm, 0.99)) };
}
