import { cpus } from "node:os";
import { latency } from "./latency.ts";
import { startAndSize } from "./start-and-size.ts";
import { throughput } from "./throughput.ts";

/** `npm run bench`: prints one JSON document. Compare ratios inside one run, not figures of different runs. */
const rounds = Number(process.env.BENCH_ROUNDS ?? "5");
const say = (what: string): void => void process.stderr.write(`measuring ${what}\n`);

say("start and size");
const start = await startAndSize(rounds);
say("message to first event");
const first = await latency();
say("1 reader");
const one = await throughput(1, rounds);
say("50 readers");
const fifty = await throughput(50, rounds);

const machine = { node: process.version, cores: cpus().length, cpu: cpus()[0]?.model ?? "unknown" };
process.stdout.write(
  `${JSON.stringify({ machine, throughput: [one, fifty], messageToFirstEvent: first, start }, null, 2)}\n`,
);
