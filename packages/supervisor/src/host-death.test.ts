import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type HostProcess, startHost } from "./fixtures/host-process.ts";
import { cleanUp, KINDS, newMark, survivors, TREE, untilComplete } from "./fixtures/tree.ts";
import { createSupervisor, run } from "./index.ts";

const probe = await createSupervisor({ hostId: "probe" });
await probe[Symbol.asyncDispose]();
const works = (tier: string): boolean => probe.tiers.some((one) => one.tier === tier && one.available);
const AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"];
const env = { PATH: process.env.PATH ?? "" };
const READ = "require('node:fs').readFileSync(process.argv[1])";
const asNobody =
  process.getuid?.() === 0 &&
  // An ordinary user must be able to read this checkout at all: one below a private home cannot be.
  (
    await run("setpriv", [...AS_NOBODY.slice(1), process.execPath, "-e", READ, import.meta.filename], {
      env,
      timeoutMs: 9_000,
      maxOutputBytes: 1,
    })
  ).code === 0;
const ORPHAN = KINDS[5];

describe("death of the host", { timeout: 60_000 }, () => {
  let host: HostProcess | undefined;
  let mark = "";
  afterEach(async () => {
    await host?.kill("SIGKILL");
    cleanUp(mark);
  });

  const begin = async (tier: string, as: readonly string[] = []): Promise<HostProcess> => {
    host = await startHost(`death-${process.pid}`, tier, as);
    mark = newMark();
    await host.ask({
      op: "spawn",
      session: "s1",
      command: "sh",
      args: ["-c", `echo "tag $COMPUTERAGENT_CHILD"; ${TREE}`, "sh", mark],
    });
    await untilComplete(mark);
    return host;
  };
  const incarnation = async (of: HostProcess): Promise<string> => {
    const line = await of.line("stdout", (text) => String(text).startsWith("tag "));
    return String(line.stdout).slice(4).split(".")[0] ?? "";
  };

  it.skipIf(!asNobody)(
    "an ordinary user gets the PID namespace, and it holds (skipped unless run as root in a checkout that others can read)",
    async () => {
      const started = await begin("pid-namespace", AS_NOBODY);
      await started.kill("SIGKILL");
      expect((await survivors(mark, 0)).kinds).toEqual([]);
    },
  );

  it.skipIf(!works("cgroup"))("cgroups are removed, whether the host disposes or is killed", async () => {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const started = await begin("cgroup");
      const name = `computeragent-${await incarnation(started)}-`;
      expect((await groups()).some((group) => group.includes(name))).toBe(true);
      await started.kill(signal);
      await expect
        .poll(async () => (await groups()).filter((group) => group.includes(name)), { timeout: 10_000 })
        .toEqual([]);
    }
  });

  it.skipIf(!works("watchdog"))("a watchdog that was killed is replaced", async () => {
    const started = await begin("watchdog");
    const needle = `COMPUTERAGENT_CHILD=${await incarnation(started)}.`;
    const [first = 0] = await watchdogs(needle);
    process.kill(first, "SIGKILL");
    await expect
      .poll(async () => (await watchdogs(needle)).filter((pid) => pid !== first).length, { timeout: 10_000 })
      .toBe(1);
    await started.kill("SIGKILL");
    expect((await survivors(mark, 1)).kinds).toEqual([ORPHAN]);
    await expect.poll(() => watchdogs(needle), { timeout: 10_000 }).toEqual([]);
  });

  it.skipIf(!works("watchdog"))("the sweep works with a grep that has no -z", async () => {
    const folder = await mkdtemp(join(tmpdir(), "supervisor-grep-"));
    try {
      await writeFile(join(folder, "grep"), '#!/bin/sh\ncase "$1" in *z*) exit 2;; esac\nexec /bin/grep "$@"\n');
      await chmod(join(folder, "grep"), 0o755);
      const started = await begin("watchdog", ["env", `PATH=${folder}:${process.env.PATH}`]);
      await started.kill("SIGKILL");
      expect((await survivors(mark, 1)).kinds).toEqual([ORPHAN]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

/** Zombies of a namespace are only reaped by its first process. */
it.skipIf(!works("pid-namespace"))("what an engine's children leave behind does not pile up as zombies", async () => {
  await using supervisor = await createSupervisor({ hostId: `zombies-${process.pid}`, tier: "pid-namespace" });
  const script = `
    const { readdirSync, readFileSync } = require("node:fs");
    require("node:child_process").execFileSync("sh", ["-c", "for i in 1 2 3 4 5; do (sleep 0.1 &); done"]);
    const states = () => readdirSync("/proc").filter((e) => /^\\d+$/.test(e)).map((pid) => {
      try { return readFileSync("/proc/" + pid + "/stat", "utf8"); } catch { return ""; }
    });
    const timer = setInterval(() => {
      const left = states();
      if (left.some((stat) => stat.includes("(sleep) S"))) return;
      clearInterval(timer);
      process.stdout.write(String(left.filter((stat) => stat.includes(") Z ")).length));
    }, 20);`;
  const child = supervisor.spawn({ sessionId: "s1", command: process.execPath, args: ["-e", script], cwd: "/", env });
  let zombies = "";
  for await (const chunk of child.stdout) zombies += String(chunk);
  expect(zombies).toBe("0");
});

async function groups(): Promise<readonly string[]> {
  const mounts = await readFile("/proc/mounts", "utf8");
  const mount = /^\S+ (\S+) cgroup2 /m.exec(mounts)?.[1] ?? "";
  return readdir(mount, { recursive: true });
}

async function watchdogs(needle: string): Promise<number[]> {
  const pids: number[] = [];
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const line = await readFile(`/proc/${entry}/cmdline`, "utf8").catch(() => "");
    if (line.includes(`computeragent-watchdog\0${needle}`)) pids.push(Number(entry));
  }
  return pids;
}
