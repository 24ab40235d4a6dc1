import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attacks, limitsFor } from "./attacks/index.ts";
import { type HostProcess, startHost } from "./host.ts";
import { underAttack } from "./under-attack.ts";

/** The bench does it with 10 000. */
const MANY = 2000;

describe("a host under attack by", () => {
  let host: HostProcess;
  beforeAll(async () => {
    host = await startHost(limitsFor(MANY));
  });
  afterAll(() => host.stop());

  // Each attack checks its own answers, and that health never failed; the bench tells how fast it was.
  it.each(attacks(MANY))(
    "$name answers as defined, stays healthy and keeps nothing",
    { timeout: 60_000 },
    async (attack) => {
      const { asked } = await underAttack(host, attack);
      expect(asked).toBeGreaterThan(0);
    },
  );
});
