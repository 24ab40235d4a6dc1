import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { footprint } from "../../bench/src/footprint.ts";
import type { HostProcess } from "./host.ts";
import { call } from "./wire.ts";

/** One way to be hostile. `run` throws where an answer is not the defined one; it says with `stands` that all of it is there. */
export interface Attack {
  readonly name: string;
  run(host: HostProcess, stands: () => Promise<void>): Promise<void>;
}

/** What the host's health route did meanwhile. */
export interface Health {
  readonly asked: number;
  readonly failed: number;
  readonly slowestMs: number;
  /** The slowest between all of it being there and its going, where the attack has such a time. */
  readonly slowestWhileItStandsMs?: number;
}

const PROBER = fileURLToPath(new URL("prober.mjs", import.meta.url));
const SETTLE_MS = 15_000;
const STAND_MS = 2000;

/** Runs an attack while another process asks for the health. Throws where the host keeps something of it. */
export async function underAttack(host: HostProcess, attack: Attack): Promise<Health> {
  const before = await held(host);
  const prober = spawn(process.execPath, [PROBER, host.url], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: prober.stdout })[Symbol.asyncIterator]();
  await lines.next();
  try {
    await attack.run(host, async () => {
      prober.stdin.write("stands\n");
      await sleep(STAND_MS);
      prober.stdin.write("goes\n");
      await sleep(50);
    });
  } finally {
    prober.stdin.end();
  }
  const health = JSON.parse(String((await lines.next()).value)) as Health;
  assert.equal(health.failed, 0, "health failed meanwhile");
  let after = await held(host);
  for (const until = Date.now() + SETTLE_MS; !isBack(before, after) && Date.now() < until; ) {
    await sleep(100);
    after = await held(host);
  }
  assert.ok(isBack(before, after), `left behind: ${JSON.stringify({ before, after })}`);
  return health;
}

interface Held {
  readonly descriptors: number;
  readonly processes: number;
  readonly workspaces: number;
  readonly sessions: number;
}

function isBack(before: Held, after: Held): boolean {
  return (Object.keys(before) as (keyof Held)[]).every((key) => after[key] <= before[key]);
}

async function held(host: HostProcess): Promise<Held> {
  const { descriptors, processes } = await footprint(host.pid, host.home);
  const health = await call(host, "GET", "/v1/health");
  const sessions = Number((health.json.sessions as { live?: number } | undefined)?.live ?? 0);
  return { descriptors, processes, sessions, workspaces: (await readdir(host.allowed)).length };
}
