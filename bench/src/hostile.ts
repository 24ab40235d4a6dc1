import { attacks, limitsFor } from "../../tests/hostile/attacks/index.ts";
import { startHost } from "../../tests/hostile/host.ts";
import { underAttack } from "../../tests/hostile/under-attack.ts";

const MANY = 10_000;

/** The slowest answer of the health route while each attack is on, in milliseconds. `only`: part of an attack's name. */
export async function hostile(only = ""): Promise<Record<string, unknown>> {
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
  return outcomes;
}

if (import.meta.main) {
  process.stdout.write(`${JSON.stringify({ healthUnderAttack: await hostile(process.argv[2]) }, null, 2)}\n`);
}
