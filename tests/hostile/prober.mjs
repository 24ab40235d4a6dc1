// Asks a host for its health over and over, each time on a new connection, and prints what it saw when its input ends.
// A line of input says that the attack stands, the next one that it goes: the slowest answer in between is told apart.
import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const url = `${process.argv[2]}/v1/health`;
const seen = { asked: 0, failed: 0, slowestMs: 0 };
let isOver = false;
process.stdin.on("end", () => {
  isOver = true;
});
let stands = false;
process.stdin.on("data", () => {
  stands = !stands;
  if (stands) seen.slowestWhileItStandsMs = 0;
});

const ask = () =>
  new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: 20_000 }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode === 200));
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(false));
  });

await ask();
process.stdout.write("ready\n");
do {
  const from = performance.now();
  const stood = stands;
  const ok = await ask();
  seen.asked++;
  if (!ok) seen.failed++;
  const took = performance.now() - from;
  seen.slowestMs = Math.max(seen.slowestMs, took);
  if (stood && stands) seen.slowestWhileItStandsMs = Math.max(seen.slowestWhileItStandsMs, took);
  await sleep(10);
} while (!isOver);
process.stdout.write(`${JSON.stringify(seen)}\n`);
