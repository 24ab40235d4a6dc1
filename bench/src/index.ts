import { cpus, loadavg } from "node:os";
import { files } from "./files.ts";
import { hostile } from "./hostile.ts";
import { latency } from "./latency.ts";
import { leaks } from "./leaks.ts";
import { installPeer } from "./peers.ts";
import { stalled } from "./stalled.ts";
import { startAndSize } from "./start-and-size.ts";
import { throughput } from "./throughput.ts";

/**
 * `npm run bench`: prints one JSON document. Compare ratios inside one run, not figures of different runs. `-- --peers` also
 * installs and measures a peer, `-- --files` moves a file of 2 GB in and out, `-- --hostile` attacks a host; BENCH_ROUNDS sets the rounds of each measurement.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? "5");
const flags = new Set(process.argv.slice(2));
const say = (what: string): void => void process.stderr.write(`measuring ${what}\n`);

const machine = { node: process.version, cores: cpus().length, cpu: cpus()[0]?.model ?? "unknown", load: loadavg()[0] };
const peer = flags.has("--peers") ? await installPeer() : undefined;
try {
  say("start and size");
  const start = await startAndSize(rounds);
  const peerStart = await peer?.startAndSize(rounds);
  say("message to first event");
  const messageToFirstEvent = await latency(rounds, peer ? { "sandbox-agent": peer.latency } : {});
  const loads = [];
  for (const load of [
    { readers: 1, events: 50_000 },
    { readers: 50, events: 10_000 },
    { readers: 500, events: 2000 },
  ]) {
    say(`${load.readers} readers`);
    loads.push(await throughput(load, rounds));
  }
  say("a stalled reader");
  const stalledReader = await stalled(rounds);
  say("what 1000 sessions leave");
  const left = await leaks([1000, 200]);
  if (flags.has("--files")) say("a file of 2 GB");
  const moved = flags.has("--files") ? await files(2 * 1024 ** 3) : undefined;
  if (flags.has("--hostile")) say("health under attack");
  const healthUnderAttack = flags.has("--hostile") ? await hostile() : undefined;
  const all = {
    machine,
    start,
    peerStart,
    messageToFirstEvent,
    throughput: loads,
    stalledReader,
    leaks: left,
    files: moved,
    healthUnderAttack,
  };
  process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
} finally {
  await peer?.remove();
}
