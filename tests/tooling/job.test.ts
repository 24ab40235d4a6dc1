import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { contentOf, outcome, ROOT, scratch, untilGone, writeTree } from "./checkout.ts";

const JOB = pathToFileURL(join(ROOT, "scripts/lib/job.mjs")).href;

/** Starts a parent that runs `program` as its job, in a session of its own: no terminal has a hand in this. */
function startParent(program: string) {
  const dir = scratch();
  writeTree(dir, {
    "job.mjs": program,
    "parent.mjs": `import { runJob } from ${JSON.stringify(JOB)};
process.exitCode = await runJob(process.execPath, ["job.mjs", "a b"], { cwd: ${JSON.stringify(dir)}, env: process.env });`,
  });
  const child = spawn(process.execPath, [join(dir, "parent.mjs")], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { child, until: (name: string) => contentOf(dir, name), done: outcome(child) };
}

/** A job that says it is ready, and which signals it gets. */
const LISTENER = `import { appendFileSync, renameSync, writeFileSync } from "node:fs";
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {
  appendFileSync("got", signal + "\\n");
  if (signal !== "SIGINT") process.exit(42);
});
setInterval(() => {}, 1000);
writeFileSync("draft", String(process.pid));
renameSync("draft", "ready");`;

describe("runJob", () => {
  it("passes arguments, output and the exit code", async () => {
    const { done } = startParent("console.log(process.argv.slice(2)[0]); process.exitCode = 9;");
    expect(await done).toMatchObject({ code: 9, stdout: "a b\n" });
  });

  it("exits with 128 + n if a signal ended the job", async () => {
    const { done } = startParent('process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000);');
    expect((await done).code).toBe(137);
  });

  it.each(["SIGTERM", "SIGHUP"] as const)("passes %s on and waits for the job to wind down", async (signal) => {
    const { child, until, done } = startParent(LISTENER);
    await until("ready");
    child.kill(signal);
    expect((await done).code).toBe(42);
    expect(await until("got")).toBe(`${signal}\n`);
  });

  it("passes SIGINT on when no terminal does, and stays as long as the job does", async () => {
    const { child, until, done } = startParent(LISTENER);
    await until("ready");
    child.kill("SIGINT");
    expect(await until("got")).toBe("SIGINT\n");
    child.kill("SIGTERM");
    expect((await done).code).toBe(42);
  });

  it("ends the job gracefully when the parent is killed outright", async () => {
    const { child, until } = startParent(LISTENER);
    const pid = Number(await until("ready"));
    child.kill("SIGKILL");
    await untilGone(pid);
    expect(await until("got")).toBe("SIGTERM\n");
  });

  it("ends with the process that started it, if asked to", async () => {
    const dir = scratch();
    writeTree(dir, {
      "job.mjs": LISTENER,
      "parent.mjs": `import { endWithParent, runJob } from ${JSON.stringify(JOB)};
endWithParent();
process.exitCode = await runJob(process.execPath, ["job.mjs"], { cwd: process.cwd(), env: process.env });`,
      "above.mjs": `import { spawn } from "node:child_process";
spawn(process.execPath, ["parent.mjs"], { stdio: "ignore" });`,
    });
    const above = spawn(process.execPath, ["above.mjs"], { cwd: dir, detached: true, stdio: "ignore" });
    const pid = Number(await contentOf(dir, "ready"));
    above.kill("SIGKILL");
    await untilGone(pid);
    expect(await contentOf(dir, "got")).toBe("SIGTERM\n");
  });

  it("leaves workers and forks of the job alone", async () => {
    const program = `import { fork } from "node:child_process";
import { Worker } from "node:worker_threads";
if (process.send) { process.send("fork " + process.env.COMPUTERAGENT_PARENT_PID); process.disconnect(); }
else {
  const child = fork("job.mjs");
  child.on("message", (text) => {
    console.log(text);
    new Worker("require('node:worker_threads').parentPort.postMessage('worker')", { eval: true }).on("message", (m) => console.log(m));
  });
}`;
    const { done } = startParent(program);
    expect(await done).toMatchObject({ code: 0, stdout: "fork undefined\nworker\n", stderr: "" });
  });
});
