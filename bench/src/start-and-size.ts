import { here, rssMiB, startServer } from "./processes.ts";
import { serve } from "./serve.ts";
import { median, round } from "./statistics.ts";

/** Spawn until healthy, and resident memory two seconds later, of `serve` as users start it, against a bare Node server. */
export async function startAndSize(rounds: number): Promise<object> {
  const bareMs: number[] = [];
  const hostMs: number[] = [];
  let bareMiB = 0;
  let hostMiB = 0;
  for (let i = 0; i < rounds; i++) {
    const bare = await startServer([here("bare-server.mjs")], "/");
    const host = await serve({}, false);
    bareMs.push(bare.healthyMs);
    hostMs.push(host.healthyMs);
    if (i === rounds - 1) {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      [bareMiB, hostMiB] = [await rssMiB(bare.pid), await rssMiB(host.pid)];
    }
    await Promise.all([bare.stop(), host.stop()]);
  }
  return {
    rounds,
    bareHealthyMs: round(median(bareMs)),
    hostHealthyMs: round(median(hostMs)),
    ratio: round(median(hostMs) / median(bareMs)),
    bareRssMiB: round(bareMiB, 1),
    hostRssMiB: round(hostMiB, 1),
    moreMiB: round(hostMiB - bareMiB, 1),
  };
}
