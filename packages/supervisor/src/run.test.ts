import { describe, expect, it } from "vitest";
import { alive, cleanUp, newMark } from "./fixtures/tree.ts";
import { allowListedEnv, type RunOptions, run } from "./index.ts";

const options: RunOptions = { env: allowListedEnv(process.env), timeoutMs: 20_000, maxOutputBytes: 100_000 };
const sh = (script: string, more: Partial<RunOptions> = {}, ...args: string[]) =>
  run("sh", ["-c", script, "sh", ...args], { ...options, ...more });

describe("run", () => {
  it("gives code and output, and does not throw for a failure", async () => {
    expect(await sh("echo out; echo err >&2; exit 3")).toEqual({
      code: 3,
      signal: null,
      stdout: "out\n",
      stderr: "err\n",
      timedOut: false,
      aborted: false,
      truncated: false,
    });
  });

  it("feeds input, uses cwd, and inherits no environment", async () => {
    process.env.RUN_TEST_SECRET = "s";
    const result = await sh('cat; pwd; echo "[$RUN_TEST_SECRET]"', { input: "hello\n", cwd: "/usr" });
    delete process.env.RUN_TEST_SECRET;
    expect(result.stdout).toBe("hello\n/usr\n[]\n");
  });

  it("survives a command that does not read its input", async () => {
    expect((await sh("exit 0", { input: "x".repeat(5_000_000) })).code).toBe(0);
  });

  it("tells a command that cannot be started", async () => {
    const missing = await run("no-such-command-here", [], options);
    expect(missing).toMatchObject({ code: null, signal: null, timedOut: false });
    expect(missing.error).toMatchObject({ code: "ENOENT" });
    expect((await run("sh", ["a\0b"], options)).error).toBeInstanceOf(Error);
  });

  it("keeps the first bytes of too much output, cut at a whole character, and lets the command end", async () => {
    const result = await sh("i=0; while [ $i -lt 5000 ]; do echo 漢漢漢漢漢漢漢漢漢漢; i=$((i+1)); done; exit 4", {
      maxOutputBytes: 100,
    });
    expect(result).toMatchObject({ code: 4, truncated: true });
    expect(Buffer.byteLength(result.stdout)).toBe(99);
    expect(result.stdout).not.toContain("\uFFFD");
    expect((await sh("printf 漢漢", { maxOutputBytes: 4 })).stdout).toBe("漢");
  });

  it("tells the signal of a killed command", async () => {
    expect(await sh("kill -TERM $$")).toMatchObject({ code: null, signal: "SIGTERM" });
  });

  it.each(["time-out", "abort"])("at %s kills the whole tree, escaped processes too", async (why) => {
    const mark = newMark();
    const abort = new AbortController();
    const script = "(setsid sleep $1.3 &); (sleep $1.4 &); sleep $1.1";
    const timeoutMs = why === "time-out" ? 500 : 20_000;
    if (why === "abort") setTimeout(() => abort.abort(), 500);
    try {
      const result = await sh(script, { timeoutMs, signal: abort.signal }, mark);
      expect(result).toMatchObject({
        code: null,
        signal: "SIGKILL",
        timedOut: why === "time-out",
        aborted: why === "abort",
      });
      expect([...alive(mark).keys()]).toEqual([]);
    } finally {
      cleanUp(mark);
    }
  });

  it("starts nothing when it is aborted already", async () => {
    expect(await sh("echo no", { signal: AbortSignal.abort() })).toMatchObject({
      aborted: true,
      code: null,
      stdout: "",
    });
  });

  it("does not wait for what the command leaves in the background with the pipes open", async () => {
    const mark = newMark();
    try {
      expect(await sh("sleep $1.2 & echo done", {}, mark)).toMatchObject({ code: 0, stdout: "done\n" });
      await expect.poll(() => [...alive(mark).keys()], { timeout: 10_000 }).toEqual(["nohup"]);
    } finally {
      cleanUp(mark);
    }
  });
});
