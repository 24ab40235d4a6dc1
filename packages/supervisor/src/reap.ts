import { setTimeout as delay } from "node:timers/promises";
import { SurvivorsError } from "./errors.ts";
import { liveStat, readStat, type Target } from "./process-identity.ts";
import { withDescendants } from "./process-tree.ts";

const DEADLINE_MS = 8_000;

/**
 * SIGKILLs `seed`, what `find` returns, their descendants and process groups, and looks again until `find` has
 * nothing more. Returns how many processes that were; rejects with {@link SurvivorsError} after 8 s.
 */
export async function reap(find: () => Promise<readonly Target[]>, seed: readonly Target[] = []): Promise<number> {
  const deadline = performance.now() + DEADLINE_MS;
  const ownGroup = readStat(process.pid)?.group;
  const seen = new Set<string>();
  for (let first = true; ; first = false) {
    const batch = withDescendants([...(first ? seed : []), ...(await find())]);
    if (batch.length === 0) return seen.size;
    if (performance.now() > deadline) throw new SurvivorsError(batch.map((target) => target.pid));
    for (const target of batch) {
      seen.add(`${target.pid} ${target.startTime}`);
      killTarget(target, ownGroup);
    }
    await waitUntilDead(batch, deadline);
  }
}

/** SIGKILL to that process, never to another one that got its pid, and to its group unless that is ours. */
function killTarget(target: Target, ownGroup: number | undefined): void {
  const stat = liveStat(target);
  if (!stat) return;
  trySignal(target.pid, "SIGKILL");
  if (stat.group > 1 && stat.group !== ownGroup) trySignal(-stat.group, "SIGKILL");
}

async function waitUntilDead(targets: readonly Target[], deadline: number): Promise<void> {
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    const alive = targets.filter((target) => liveStat(target));
    if (alive.length === 0) return;
    if (performance.now() > deadline) throw new SurvivorsError(alive.map((target) => target.pid));
    await delay(pause);
  }
}

/** `process.kill` that answers whether the signal was delivered. A negative pid means a group. */
export function trySignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
