import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createSupervisor, findOwned, type TierProbe } from "@computeragent/supervisor";
import { eventually } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { startHost } from "./host-process.ts";

const probe = await createSupervisor({ hostId: `probe-${process.pid}` });
const tiers: readonly TierProbe[] = probe.tiers;
await probe[Symbol.asyncDispose]();

/** Started by the agent: in the foreground, by nohup, in a session of its own, and by a double fork. */
const LEFTOVERS = "nohup sleep 711 >/dev/null 2>&1 & setsid sleep 712 & (sleep 713 & ) ; touch began.txt; sleep 714";

describe.each(tiers)("containment by $tier", ({ tier, available, reason }) => {
  it.skipIf(!available)(
    `${available ? "" : `(${reason}) `}leaves no process of a session when the host ends`,
    async () => {
      for (const signal of ["SIGTERM", "SIGKILL"] as const) {
        const host = await startHost(["--containment", tier]);
        const hostId = String((await host.client.call("health")).hostId);
        const id = await host.create({ permissionMode: "auto" });
        await host.say(id, `!bash ${LEFTOVERS}\n!say never`);
        await eventually(30_000, "the agent's command to run", () => existsSync(join(host.workspace, "began.txt")));
        expect((await findOwned({ hostId })).length, signal).toBeGreaterThan(3);
        await host.end(signal);
        await eventually(
          10_000,
          `nothing of the session to be left after ${signal}`,
          async () => (await findOwned({ hostId })).length === 0,
        );
        expect(existsSync(join(host.workspace, "began.txt")), "a local workspace stays").toBe(true);
        if (signal === "SIGTERM") expect(await readdir(join(host.home, "hosts"))).toEqual([]);
        await host[Symbol.asyncDispose]();
      }
    },
  );
});

describe("a host that was killed", () => {
  it("is cleaned up after by the next one, and a host that lives is not touched", async () => {
    const dead = await startHost();
    const deadId = String((await dead.client.call("health")).hostId);
    await dead.create({ permissionMode: "auto" });
    await dead.end("SIGKILL");
    expect(existsSync(join(dead.home, "hosts", deadId))).toBe(true);
    await using living = await startHost([], { COMPUTERAGENT_HOME: dead.home });
    const livingId = String((await living.client.call("health")).hostId);
    await using third = await startHost([], { COMPUTERAGENT_HOME: dead.home });
    const thirdId = String((await third.client.call("health")).hostId);
    expect((await readdir(join(dead.home, "hosts"))).sort()).toEqual([livingId, thirdId].sort());
    expect((await living.client.call("health")).ok).toBe(true);
  });
});
