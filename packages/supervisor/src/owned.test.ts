import { type ChildProcess, spawn } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { alive, cleanUp, newMark } from "./fixtures/tree.ts";
import { findOwned, identify, isAlive, OWNER_VARIABLE, sweepOwner } from "./index.ts";
import { environValue } from "./markers.ts";
import { childrenOf } from "./process-tree.ts";
import { reap } from "./reap.ts";

const marks: string[] = [];
afterEach(() => {
  for (const mark of marks.splice(0)) cleanUp(mark);
});

/** A marked shell with this many sleeping processes of its mark. */
async function owned(owner: string, sleepers: number, script: string): Promise<{ shell: ChildProcess; mark: string }> {
  const mark = newMark();
  marks.push(mark);
  const env = { PATH: process.env.PATH, [OWNER_VARIABLE]: owner };
  const shell = spawn("sh", ["-c", script, "sh", mark], { env, stdio: "ignore", detached: true });
  await expect.poll(() => alive(mark).size, { timeout: 10_000 }).toBe(sleepers);
  return { shell, mark };
}

describe("findOwned and sweepOwner", () => {
  it("find and end marked processes and their descendants, of that host and session only", async () => {
    const host = `owned-${process.pid}`;
    const script = "env -i setsid sleep $1.5 & sleep $1.1 & wait";
    const first = await owned(`${host}:s1`, 2, script);
    const second = await owned(`${host}:with:colon`, 2, script);
    const other = await owned(`${host}0:s1`, 2, script);

    const found = await findOwned({ hostId: host, sessionId: "s1" });
    expect(found.map(({ via, sessionId, command }) => [via, sessionId, command.split(" ")[0]])).toEqual([
      ["marker", "s1", "sh"],
      ["descent", "s1", "sleep"],
      ["marker", "s1", "sleep"],
    ]);
    expect((await findOwned({ hostId: host, sessionId: "with:colon" })).length).toBe(3);
    expect((await findOwned({ sessionId: "with:colon" })).map((one) => one.hostId)).toEqual([host, host, host]);

    expect(await sweepOwner(host)).toBe(6);
    expect([alive(first.mark).size, alive(second.mark).size, alive(other.mark).size]).toEqual([0, 0, 2]);
    expect(await sweepOwner(host)).toBe(0);
    expect(await sweepOwner(`${host}0`)).toBe(3);
  });

  it("never count or kill the calling process, and ignore a marker that is none", async () => {
    await owned("no-colon", 1, "sleep $1.1 & wait");
    const found = await findOwned({});
    expect(found.every((one) => one.pid !== process.pid && one.hostId !== "no-colon")).toBe(true);
  });

  it("do not kill a process that only has the pid of an older one", async () => {
    const { shell, mark } = await owned(`reuse-${process.pid}:s`, 1, "sleep $1.1 & wait");
    expect(await reap(async () => [], [{ pid: shell.pid ?? 0, startTime: "1" }])).toBe(0);
    expect(alive(mark).size).toBe(1);
    await sweepOwner(`reuse-${process.pid}`);
  });
});

describe("identity", () => {
  it("holds for the very process only", async () => {
    const self = await identify(process.pid);
    if (!self) throw new Error("we are not there");
    expect(await isAlive(self)).toBe(true);
    expect(await isAlive({ ...self, startTime: "1" })).toBe(false);
    expect(await isAlive({ ...self, bootId: "another boot" })).toBe(false);
    expect(await identify(4_194_304)).toBeUndefined();
  });

  it("takes a zombie for dead", async () => {
    const host = `zombie-${process.pid}`;
    const { shell } = await owned(`${host}:s`, 1, "(exit 0) & exec sleep $1.1");
    await expect.poll(() => (shell.pid ? childrenOf(shell.pid).length : 0)).toBe(1);
    const [zombie = 0] = childrenOf(shell.pid ?? 0);
    await expect.poll(() => identify(zombie)).toBeUndefined();
    expect(await sweepOwner(host)).toBe(1);
  });
});

it("reads a variable out of an environ only where it begins one", () => {
  const environ = Buffer.from("XA=1\0A=2\0B=A=3\0C=\0D=last");
  expect(["A", "B", "C", "D", "E"].map((name) => environValue(environ, name))).toEqual([
    "2",
    "A=3",
    "",
    "last",
    undefined,
  ]);
});
