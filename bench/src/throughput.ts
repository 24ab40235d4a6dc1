import { startHost } from "./host.ts";
import { here, startReaders, startServer } from "./processes.ts";
import { median, round } from "./statistics.ts";

/** Deliveries per second of one way to serve. */
interface Rate {
  readonly deliveriesPerSecond: number;
  readonly lost: number;
}

const EVENTS = 20_000;

/** Raw loop against host, in turns within one run, so that both meet the same machine. */
export async function throughput(readers: number, rounds: number): Promise<object> {
  const raw: Rate[] = [];
  const host: Rate[] = [];
  for (let i = 0; i < rounds; i++) {
    raw.push(await rawRound(readers));
    host.push(await hostRound(readers));
  }
  const rate = (list: Rate[]): number => Math.round(median(list.map((r) => r.deliveriesPerSecond)));
  return {
    readers,
    events: EVENTS,
    rounds,
    rawDeliveriesPerSecond: rate(raw),
    hostDeliveriesPerSecond: rate(host),
    ratio: round(rate(host) / rate(raw)),
    lost: host.reduce((sum, r) => sum + r.lost, 0),
  };
}

async function rawRound(readers: number): Promise<Rate> {
  const server = await startServer([here("raw-server.ts")], "/");
  try {
    const { result } = await startReaders(`${server.url}/events`, readers, "end");
    const startedAt = Date.now();
    await fetch(`${server.url}/go?n=${EVENTS}`, { method: "POST" });
    return rateOf(await result, startedAt, readers, EVENTS + 1);
  } finally {
    await server.stop();
  }
}

async function hostRound(readers: number): Promise<Rate> {
  const host = await startHost();
  try {
    const id = await host.session();
    const { result } = await startReaders(`${host.url}/v1/sessions/${id}/events`, readers, "ca_turn_ended");
    const startedAt = Date.now();
    await host.post(`/v1/sessions/${id}/messages`, { message: { role: "user", content: `!stream ${EVENTS} 80 0` } });
    return rateOf(await result, startedAt, readers, EVENTS);
  } finally {
    await host.stop();
  }
}

function rateOf(
  seen: { at: number; least: number; most: number },
  startedAt: number,
  readers: number,
  expected: number,
): Rate {
  const seconds = Math.max(1, seen.at - startedAt) / 1000;
  return { deliveriesPerSecond: (EVENTS * readers) / seconds, lost: Math.max(0, expected - seen.least) };
}
