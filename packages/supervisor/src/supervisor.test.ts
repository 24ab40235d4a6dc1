import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSupervisor, findOwned, type SpawnRequest, type SupervisedChild, type Supervisor } from "./index.ts";

const probe = await createSupervisor({ hostId: "probe" });
await probe[Symbol.asyncDispose]();

for (const { tier, available, reason } of probe.tiers) {
  describe.skipIf(!available)(`children in tier ${tier}${available ? "" : ` (not available here: ${reason})`}`, () => {
    const hostId = `supervisor-${process.pid}-${tier}`;
    let supervisor: Supervisor;
    beforeAll(async () => {
      supervisor = await createSupervisor({ hostId, tier });
    });
    afterAll(() => supervisor[Symbol.asyncDispose]());

    const start = (command: string, args: readonly string[], more: Partial<SpawnRequest> = {}): SupervisedChild =>
      supervisor.spawn({ sessionId: "s1", command, args, cwd: "/", env: { PATH: process.env.PATH }, ...more });
    const sh = (script: string, more: Partial<SpawnRequest> = {}): SupervisedChild => start("sh", ["-c", script], more);

    it("passes arguments, cwd and streams untouched", async () => {
      const args = ["", "a b", '"q"', "$HOME", "new\nline", "漢", "-n", "`x`"];
      const child = start(process.execPath, [
        "-e",
        "process.stdout.write(JSON.stringify(process.argv.slice(1)))",
        "--",
        ...args,
      ]);
      expect(JSON.parse(await text(child.stdout))).toEqual(args);
      expect(await text(start("pwd", [], { cwd: "/usr" }).stdout)).toBe("/usr\n");
      const cat = sh("cat; echo end >&2");
      const data = "0123456789".repeat(200_000);
      cat.stdin.end(data);
      const [out, err] = await Promise.all([text(cat.stdout), text(cat.stderr)]);
      expect(out === data && err === "end\n").toBe(true);
    });

    it("gives the child its environment and markers only", async () => {
      process.env.SUPERVISOR_TEST_SECRET = "s";
      const env = { PATH: process.env.PATH, ONE: "1", GONE: undefined, "odd.name": "x" };
      const names = "console.log(JSON.stringify(process.env))";
      const seen: Record<string, string> = JSON.parse(
        await text(start(process.execPath, ["-e", names], { env }).stdout),
      );
      delete process.env.SUPERVISOR_TEST_SECRET;
      for (const shell of ["PWD", "OLDPWD", "SHLVL", "_"]) delete seen[shell];
      expect(Object.keys(seen).sort()).toEqual(["COMPUTERAGENT_CHILD", "COMPUTERAGENT_OWNER", "ONE", "PATH"]);
      expect(seen.COMPUTERAGENT_OWNER).toBe(`${hostId}:s1`);
    });

    it("tells how the engine ended", async () => {
      const failed = sh("exit 7");
      const event = new Promise((resolve) => failed.once("exit", (...args) => resolve(args)));
      expect(await failed.exited).toEqual({ code: 7, signal: null });
      expect(await event).toEqual([7, null]);
      expect([failed.exitCode, failed.signalCode, failed.killed, failed.kill()]).toEqual([7, null, false, false]);
      expect(await sh("kill -KILL $$").exited).toEqual({ code: null, signal: "SIGKILL" });
    });

    it("keeps the engine's stderr free of words of its own", async () => {
      const child = sh("echo mine >&2; kill -SEGV $$");
      expect(await text(child.stderr)).toBe("mine\n");
    });

    it("signals the engine itself", async () => {
      const child = sh("trap 'exit 5' TERM; echo up; while :; do sleep 0.05; done");
      await new Promise((resolve) => child.stdout.once("data", resolve));
      expect(child.kill("SIGTERM")).toBe(true);
      expect(child.killed).toBe(true);
      expect(await child.exited).toEqual({ code: 5, signal: null });
    });

    it("SIGTERM ends an engine that does not handle it", async () => {
      const sessionId = `sigterm-${hostId}`;
      const child = start("sleep", ["60"], { sessionId });
      await started(sessionId);
      child.kill();
      const { code, signal } = await child.exited;
      expect(code === 143 || signal === "SIGTERM").toBe(true);
    });

    it("lists running children", async () => {
      const child = start("sleep", ["60"], { sessionId: "listed" });
      expect(supervisor.children("listed")).toMatchObject([{ sessionId: "listed", pid: child.pid, command: "sleep" }]);
      expect(supervisor.children("other")).toEqual([]);
      await child.stop({ graceMs: 10 });
      expect(supervisor.children("listed")).toEqual([]);
    });

    it("stop: interrupts, closes stdin, and is idempotent", async () => {
      const child = sh("cat >/dev/null; exit 3");
      let interrupts = 0;
      const interrupt = async (): Promise<void> => {
        interrupts += 1;
      };
      const both = await Promise.all([child.stop({ interrupt }), child.stop({ interrupt })]);
      expect(both).toEqual([
        { code: 3, signal: null },
        { code: 3, signal: null },
      ]);
      expect(await child.stop()).toEqual({ code: 3, signal: null });
      expect([interrupts, child.killed]).toEqual([1, false]);
    });

    it("stop: goes on when the interrupt hangs or throws, up to SIGKILL", async () => {
      const deaf = "trap '' TERM INT; echo up; while :; do sleep 0.05; done";
      const hanging = sh(deaf);
      const throwing = sh(deaf);
      await Promise.all(
        [hanging, throwing].map((child) => new Promise((resolve) => child.stdout.once("data", resolve))),
      );
      const exits = await Promise.all([
        hanging.stop({ interrupt: () => new Promise<void>(() => {}), graceMs: 50 }),
        throwing.stop({
          graceMs: 50,
          interrupt: () => {
            throw new Error("no");
          },
        }),
      ]);
      expect(exits).toEqual([
        { code: null, signal: "SIGKILL" },
        { code: null, signal: "SIGKILL" },
      ]);
    });

    it("can be killed or stopped at any moment of its start", async () => {
      for (const [index, signal] of (["SIGTERM", "SIGKILL", "SIGINT", "SIGTERM", "SIGHUP"] as const).entries()) {
        const child = sh("sleep 60", { sessionId: "early" });
        for (let turn = 0; turn < index; turn += 1) await new Promise(setImmediate);
        expect(child.kill(signal)).toBe(true);
        await child.stop({ graceMs: 100 });
        await sh("sleep 60", { sessionId: "early" }).stop({ graceMs: 0 });
      }
      expect(await findOwned({ hostId, sessionId: "early" })).toEqual([]);
    });

    it("writing to an engine that is gone does not bring down the host", async () => {
      const child = sh("exit 0");
      await child.exited;
      for (let i = 0; i < 3; i += 1) {
        child.stdin.write("late");
        await new Promise(setImmediate);
      }
      expect(child.exitCode).toBe(0);
    });
  });
}

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

/** Until the engine has replaced the shells that lead to it. */
async function started(sessionId: string): Promise<void> {
  const commands = async () => (await findOwned({ sessionId })).map(({ command }) => command);
  const engine = expect.stringMatching(/^\S+\/sleep 60$/);
  await expect.poll(commands, { timeout: 10_000 }).toContainEqual(engine);
}
