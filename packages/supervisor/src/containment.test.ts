import { afterEach, describe, expect, it } from "vitest";
import { type HostProcess, startHost } from "./fixtures/host-process.ts";
import { alive, cleanUp, KINDS, newMark, survivors, TREE, untilComplete } from "./fixtures/tree.ts";
import { type ContainmentTier, createSupervisor, findOwned } from "./index.ts";

const ORPHAN = "env -i setsid, orphan";
/** What a tier cannot catch once its ties to us are cut: no marker, no parent, no process group. */
const ESCAPES: Record<ContainmentTier, readonly string[]> = {
  "pid-namespace": [],
  cgroup: [],
  watchdog: [ORPHAN],
};

const probe = await createSupervisor({ hostId: "probe" });
await probe[Symbol.asyncDispose]();

for (const { tier, available, reason } of probe.tiers) {
  const title = available ? `tier ${tier}` : `tier ${tier} (not available here: ${reason})`;
  describe.skipIf(!available)(title, { timeout: 60_000 }, () => {
    const marks: string[] = [];
    const hosts: HostProcess[] = [];
    const hostId = `containment-${process.pid}-${tier}`;

    const start = async (): Promise<HostProcess> => {
      const host = await startHost(hostId, tier);
      hosts.push(host);
      return host;
    };
    const spawnTree = async (host: HostProcess, session: string): Promise<string> => {
      const mark = newMark();
      marks.push(mark);
      await host.ask({ op: "spawn", session, command: "sh", args: ["-c", TREE, "sh", mark] });
      await untilComplete(mark);
      return mark;
    };
    const expectLeft = async (mark: string, kinds: readonly string[]): Promise<void> => {
      const left = await survivors(mark, kinds.length);
      expect(left.kinds).toEqual(kinds);
    };

    afterEach(async () => {
      for (const host of hosts.splice(0)) await host.kill("SIGKILL");
      for (const mark of marks.splice(0)) cleanUp(mark);
    });

    it("host SIGKILLed: nothing is left within 10 s but what the tier is known to miss", async () => {
      const host = await start();
      const mark = await spawnTree(host, "s1");
      await host.kill("SIGKILL");
      await expectLeft(mark, ESCAPES[tier]);
    });

    it("stop() leaves nothing of the child and does not touch another child of the session's host", async () => {
      const host = await start();
      const mark = await spawnTree(host, "s1");
      const other = await spawnTree(host, "s2");
      const answer = await host.ask({ op: "stop", session: "s1" });
      expect(answer).toHaveProperty("done.exit");
      expect([...alive(mark).keys()]).toEqual(ESCAPES[tier]);
      expect(alive(other).size).toBe(KINDS.length);
    });

    it("killSession leaves nothing of the session and all of another one", async () => {
      const host = await start();
      const mark = await spawnTree(host, "s1");
      const other = await spawnTree(host, "s2");
      expect(await host.ask({ op: "killSession", session: "s1" })).toHaveProperty("done");
      expect([...alive(mark).keys()]).toEqual(ESCAPES[tier]);
      expect(alive(other).size).toBe(KINDS.length);
      expect(await findOwned({ hostId, sessionId: "s1" })).toEqual([]);
      expect((await findOwned({ hostId, sessionId: "s2" })).length).toBeGreaterThan(KINDS.length - 2);
    });

    it("host SIGTERMed: it disposes, ends with 0 and leaves nothing", async () => {
      const host = await start();
      const mark = await spawnTree(host, "s1");
      await host.kill("SIGTERM");
      expect(host.process.exitCode).toBe(0);
      expect([...alive(mark).keys()]).toEqual(ESCAPES[tier]);
    });

    it("an engine that ends by itself leaves nothing", async () => {
      const host = await start();
      const mark = await spawnTree(host, "s1");
      process.kill(alive(mark).get("foreground") ?? 0, "SIGTERM");
      await expectLeft(mark, tier === "watchdog" ? ["env -i setsid", ORPHAN] : []);
    });
  });
}
