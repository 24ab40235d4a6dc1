import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runTool } from "../../scripts/lib/run-tool.mjs";
import { outcome, ROOT, scratch, untilGone } from "./checkout.ts";

const tool = (code: string, limitMs = 60_000, cwd = scratch()) => runTool(["-e", code], { cwd, limitMs });

describe("runTool", () => {
  it("gives the output of both streams, and why it failed", async () => {
    const ok = await tool('console.log("out"); console.error("err")');
    expect(ok).toMatchObject({ ok: true, reason: "" });
    expect(ok.output).toContain("out");
    expect(ok.output).toContain("err");
    expect(await tool("process.exitCode = 3")).toMatchObject({ ok: false, reason: "exit 3" });
    expect(await tool('process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 9)')).toMatchObject({
      ok: false,
      reason: "SIGKILL",
    });
  });

  it("ends a tool that takes too long, with its children", async () => {
    const dir = scratch();
    const code = `const { spawn } = require("node:child_process");
      const child = spawn("sleep", ["600"], { stdio: "inherit" });
      require("node:fs").writeFileSync("pid", String(child.pid));
      setInterval(() => {}, 1000);`;
    const result = await tool(code, 2_000, dir);
    expect(result).toMatchObject({ ok: false, reason: "took longer than 2 s" });
    await untilGone(Number(readFileSync(join(dir, "pid"), "utf8")));
  });

  it("ends a tool that does not end after its work is done", async () => {
    const dir = scratch();
    const code = 'require("node:fs").writeFileSync("done", ""); setInterval(() => {}, 1000);';
    const finished = () => existsSync(join(dir, "done"));
    const result = await runTool(["-e", code], { cwd: dir, limitMs: 60_000, finished, windDownMs: 1_000 });
    expect(result).toMatchObject({ ok: false, reason: "had not ended 1 s after its work was done" });
  });

  it("does not wait for a stray process that holds the output open, and ends it", async () => {
    const dir = scratch();
    const code = `const child = require("node:child_process").spawn("sleep", ["600"], { stdio: "inherit" });
      require("node:fs").writeFileSync("pid", String(child.pid));
      process.exit(0);`;
    expect(await tool(code, 60_000, dir)).toMatchObject({ ok: true });
    expect(existsSync(join(dir, "pid"))).toBe(true);
    await untilGone(Number(readFileSync(join(dir, "pid"), "utf8")));
  });
});

describe("the checks as a whole", () => {
  const check = (...args: string[]) =>
    outcome(spawn(process.execPath, [join(ROOT, "scripts/check.mjs"), ...args], { stdio: ["ignore", "pipe", "pipe"] }));

  it("end with the count and nothing after it", async () => {
    const result = await check("--only", "size");
    expect(result.stdout).toMatch(/\n1 passed, 0 failed\n$/);
    expect(result.code).toBe(0);
  });

  it("fail when no test is run", async () => {
    const result = await check("--only", "tests", "there-is-no-such-test-file");
    expect(result.stdout).toMatch(/\n0 passed, 1 failed\n$/);
    expect(result.code).toBe(1);
  });

  it("answer a wrong option with what there is", async () => {
    const result = await check("--only", "nothing");
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toContain("lint");
  });
});
