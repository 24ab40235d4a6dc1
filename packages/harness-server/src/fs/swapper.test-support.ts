import { Worker } from "node:worker_threads";

/** Swaps `<ws>/<name>` for something else and back, again and again, with both always one rename away. */
const SWAPPER = `
const { parentPort, workerData: { ws, name, target, kind, stop } } = require("node:worker_threads");
const fs = require("node:fs"), path = require("node:path"), cp = require("node:child_process");
const flag = new Int32Array(stop), real = path.join(ws, name), aside = path.join(ws, "aside"), link = path.join(ws, "link-aside");
let swaps = 0;
const quiet = (work) => { try { work(); return true; } catch { return false; } };
parentPort.postMessage("ready");
while (Atomics.load(flag, 0) === 0) {
  quiet(() => kind === "fifo" ? cp.execFileSync("mkfifo", [link]) : fs.symlinkSync(target, link));
  if (quiet(() => fs.renameSync(real, aside))) { quiet(() => fs.renameSync(link, real)); swaps++; }
  Atomics.wait(flag, 0, 0, 0.2);
  quiet(() => fs.unlinkSync(real));
  quiet(() => fs.renameSync(aside, real));
  Atomics.wait(flag, 0, 0, 0.2);
}
parentPort.postMessage(swaps);
`;

/** What is swapped, and for what: a link to `target`, or a FIFO. */
export interface Swap {
  readonly ws: string;
  readonly name: string;
  readonly target: string;
  readonly kind?: "link" | "fifo";
}

/** Runs `work` while a thread swaps; resolves with how often it did. */
export async function swapping(swap: Swap, work: () => Promise<void>): Promise<number> {
  const stop = new SharedArrayBuffer(4);
  const worker = new Worker(SWAPPER, { eval: true, workerData: { kind: "link", ...swap, stop } });
  const message = () => new Promise<unknown>((resolve) => worker.once("message", resolve));
  await message();
  try {
    await work();
  } finally {
    Atomics.store(new Int32Array(stop), 0, 1);
  }
  const swaps = Number(await message());
  await worker.terminate();
  return swaps;
}
