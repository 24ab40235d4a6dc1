import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { createSupervisor, findOwned, InvalidSpawnError, type SpawnRequest, SupervisorClosedError } from "./index.ts";

const hostId = `failures-${process.pid}`;
const request: SpawnRequest = {
  sessionId: "s1",
  command: "sh",
  args: ["-c", "sleep 60"],
  cwd: "/",
  env: { PATH: process.env.PATH },
};

describe("spawn that cannot be", () => {
  it.each([
    ["an unknown command", { command: "no-such-command" }, { code: "ENOENT" }],
    ["a missing path", { command: "/no/such/file" }, { code: "ENOENT" }],
    ["an empty command", { command: "" }, { code: "ENOENT" }],
    ["a folder as command", { command: "/usr" }, { code: "ENOENT" }],
    ["a missing cwd", { cwd: "/no/such/folder" }, { name: "InvalidSpawnError" }],
    ["a bad session id", { sessionId: "a b" }, { name: "InvalidSpawnError" }],
    ["a NUL in an argument", { args: ["a\0b"] }, { code: "ERR_INVALID_ARG_VALUE" }],
    ["too many arguments", { args: ["x".repeat(200_000)] }, { code: "E2BIG" }],
  ])("%s: told by exited and by the event, with dead streams", async (_name, change, expected) => {
    await using supervisor = await createSupervisor({ hostId });
    const child = supervisor.spawn({ ...request, ...change });
    const event = new Promise((resolve) => child.once("error", resolve));
    child.stdin.write("into nothing");
    const exit = await child.exited;
    expect(exit).toMatchObject({ code: null, signal: null, error: expected });
    expect(await event).toBe(exit.error);
    expect([child.pid, child.kill(), supervisor.children()]).toEqual([undefined, false, []]);
    expect(await child.stop()).toBe(exit);
    for await (const chunk of child.stdout) expect.fail(`there is output: ${String(chunk)}`);
  });

  it("needs no listener for its error", async () => {
    await using supervisor = await createSupervisor({ hostId });
    const { error } = await supervisor.spawn({ ...request, cwd: "/etc/passwd" }).exited;
    expect(error).toBeInstanceOf(InvalidSpawnError);
  });
});

describe("dispose", () => {
  it("ends children that are just starting, and nothing starts after it", async () => {
    const supervisor = await createSupervisor({ hostId });
    const children = Array.from({ length: 5 }, () => supervisor.spawn(request));
    const disposed = supervisor[Symbol.asyncDispose]();
    const late = await supervisor.spawn(request).exited;
    expect(late.error).toBeInstanceOf(SupervisorClosedError);
    await Promise.all([disposed, supervisor[Symbol.asyncDispose]()]);
    expect((await Promise.all(children.map((child) => child.exited))).length).toBe(5);
    expect(await findOwned({ hostId })).toEqual([]);
  });
});

describe("createSupervisor", () => {
  it("refuses a host id that would not fit a marker", async () => {
    await expect(createSupervisor({ hostId: "a:b" })).rejects.toThrow(TypeError);
  });

  it("says why a tier is not available", async () => {
    const { PATH } = process.env;
    process.env.PATH = "/nowhere";
    try {
      await expect(createSupervisor({ hostId, tier: "pid-namespace" })).rejects.toThrow(/setpriv .* is not installed/);
    } finally {
      process.env.PATH = PATH;
    }
  });

  it("refuses to work on another thread, whose end would kill the children", async () => {
    const index = new URL("./index.ts", import.meta.url).href;
    const code = `import(${JSON.stringify(index)}).then((m) => m.createSupervisor({ hostId: "w" })).catch((e) => postMessage(e.name));`;
    const worker = new Worker(
      `globalThis.postMessage = (m) => require("node:worker_threads").parentPort.postMessage(m); ${code}`,
      { eval: true },
    );
    expect(await once(worker, "message")).toEqual(["ContainmentUnavailableError"]);
    await worker.terminate();
  });
});
