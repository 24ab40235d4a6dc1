import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const command = fileURLToPath(new URL("../../dist/bin/computeragent.js", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "ca-start-"));

afterAll(() => rmSync(home, { recursive: true, force: true }));

function start(
  args: readonly string[],
  stdout: "pipe" | number,
  more: Readonly<Record<string, string>> = {},
): { child: ChildProcess; err: () => string } {
  let text = "";
  const env = { PATH: process.env.PATH, COMPUTERAGENT_HOME: home, ...more };
  const child = spawn(process.execPath, [command, ...args], { env, stdio: ["ignore", stdout, "pipe"] });
  child.stderr?.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { child, err: () => text };
}

describe("a command whose output goes nowhere", () => {
  it("finishes its work when the reader is gone", async () => {
    const message = "!say a\n!sleep 300\n!say b";
    const run = ["run", "inline:x", "--engine", "mock", "--workspace", home, "--json", "-m", message];
    const { child, err } = start(run, "pipe");
    child.stdout?.once("data", () => child.stdout?.destroy());
    expect(await once(child, "close")).toEqual([0, null]);
    expect(err()).not.toContain("EPIPE");
  }, 60_000);

  it.skipIf(process.platform !== "linux")(
    "fails in one line when the disk under it is full",
    async () => {
      const { child, err } = start(["token"], openSync("/dev/full", "w"));
      expect(await once(child, "close")).toEqual([1, null]);
      expect(err()).toBe("the output could not be written: ENOSPC\n");
    },
    60_000,
  );

  it("says which scenario file is at fault", async () => {
    const { child, err } = start(["serve", "--port", "0", "--scenario", join(home, "none.yaml")], "pipe");
    expect(await once(child, "close")).toEqual([1, null]);
    expect(err()).toMatch(/^cannot use the scenarios in .*none\.yaml: ENOENT[^\n]*\n$/);
  }, 60_000);
});

describe.skipIf(process.platform !== "linux")("a temporary folder in which nothing can be made", () => {
  const more = { TMPDIR: "/proc" };

  it("is no obstacle where none is needed", async () => {
    const { child, err } = start(["token"], "pipe", more);
    expect([...(await once(child, "close")), err()]).toEqual([0, null, ""]);
  }, 60_000);

  it("is told in one line where one is", async () => {
    const { child, err } = start(["validate", "inline:x"], "pipe", more);
    expect(await once(child, "close")).toEqual([1, null]);
    expect(err()).toMatch(/^Error: ENOENT: no such file or directory, mkdtemp '\/proc\/[^\n]*\n$/);
  }, 60_000);
});
