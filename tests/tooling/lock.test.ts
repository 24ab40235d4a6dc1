import { spawn } from "node:child_process";
import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { isStale, processStart, withLock } from "../../scripts/lib/lock.mjs";
import { outcome, ROOT, scratch } from "./checkout.ts";

const me = { pid: process.pid, started: processStart(process.pid), host: hostname(), token: "t" };

async function deadPid(): Promise<number> {
  const child = spawn("true");
  const pid = child.pid ?? 0;
  await outcome(child);
  return pid;
}

describe("isStale", () => {
  it("keeps the lock of a living process", () => {
    expect(isStale(me, 10 * 60_000)).toBe(false);
  });

  it("gives up the lock of a dead process, and of one whose pid another process has now", async () => {
    expect(isStale({ ...me, pid: await deadPid() }, 0)).toBe(true);
    expect(isStale({ ...me, started: "1" }, 0)).toBe(true);
  });

  it("judges a holder on another host, and a broken file, by when it last showed life", () => {
    const far = { ...me, host: "elsewhere", pid: 1 };
    expect(isStale(far, 1_000)).toBe(false);
    expect(isStale(far, 120_000)).toBe(true);
    expect(isStale(undefined, 1_000)).toBe(false);
    expect(isStale(undefined, 120_000)).toBe(true);
  });
});

describe("withLock", () => {
  it("gives the result, and frees the lock also after a failure", async () => {
    const path = join(scratch(), "deep", "x.lock");
    expect(await withLock(path, async () => 5)).toBe(5);
    await expect(withLock(path, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(existsSync(path)).toBe(false);
  });

  it("takes the lock of a holder that was killed", async () => {
    const path = join(scratch(), "x.lock");
    writeFileSync(path, JSON.stringify({ ...me, pid: await deadPid() }));
    expect(await withLock(path, async () => "mine")).toBe("mine");
    writeFileSync(path, "{ half a rec");
    utimesSync(path, new Date(0), new Date(0));
    expect(await withLock(path, async () => "mine again")).toBe("mine again");
  });

  it("waits for a living holder and names it once", async () => {
    const path = join(scratch(), "x.lock");
    const order: string[] = [];
    const waited: unknown[] = [];
    let release = () => {};
    const first = withLock(path, async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      order.push("first");
    });
    const second = withLock(
      path,
      async () => void order.push("second"),
      (pid) => {
        waited.push(pid);
        release();
      },
    );
    await Promise.all([first, second]);
    expect(order).toEqual(["first", "second"]);
    expect(waited).toEqual([process.pid]);
  });

  it("lets one of many processes in at a time, even when all of them find a dead holder first", async () => {
    const dir = scratch();
    const path = join(dir, "x.lock");
    writeFileSync(path, JSON.stringify({ ...me, pid: await deadPid() }));
    const script = `
      import { appendFileSync } from "node:fs";
      import { withLock } from ${JSON.stringify(pathToFileURL(join(ROOT, "scripts/lib/lock.mjs")).href)};
      for (let i = 0; i < 3; i += 1) {
        await withLock(${JSON.stringify(path)}, async () => {
          appendFileSync(${JSON.stringify(join(dir, "log"))}, "in\\n");
          await new Promise((resolve) => setTimeout(resolve, 5));
          appendFileSync(${JSON.stringify(join(dir, "log"))}, "out\\n");
        });
      }`;
    const runs = Array.from({ length: 5 }, () =>
      outcome(spawn(process.execPath, ["--input-type=module", "-e", script])),
    );
    for (const result of await Promise.all(runs)) expect(result).toMatchObject({ code: 0, stderr: "" });
    const log = readFileSync(join(dir, "log"), "utf8").trim().split("\n");
    expect(log).toEqual(Array.from({ length: 15 }, () => ["in", "out"]).flat());
  });
});
