import { attacks, limitsFor } from "../../tests/hostile/attacks/index.ts";
import { startHost } from "../../tests/hostile/host.ts";
import { underAttack } from "../../tests/hostile/under-attack.ts";

const MANY = 10_000;

/** `node bench/src/hostile.ts [PART-OF-A-NAME]`: prints, for each attack, the slowest answer of the health route meanwhile in milliseconds. */
const only = process.argv[2] ?? "";
const host = await startHost(limitsFor(MANY));
const outcomes: Record<string, unknown> = {};
try {
  for (const attack of attacks(MANY).filter(({ name }) => name.includes(only))) {
    const startedAt = performance.now();
    const outcome = await underAttack(host, attack).catch((error: unknown) => ({ fault: String(error) }));
    outcomes[attack.name] = { ...outcome, tookMs: Math.round(performance.now() - startedAt) };
  }
} finally {
  await host.stop();
}
process.stdout.write(`${JSON.stringify({ healthUnderAttack: outcomes }, null, 2)}\n`);
