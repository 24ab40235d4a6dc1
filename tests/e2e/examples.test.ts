import { join } from "node:path";
import { eventually } from "@computeragent/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Command, command } from "./command.ts";
import { type HostProcess, makeHome, ROOT, startHost } from "./host-process.ts";

let host: HostProcess;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host[Symbol.asyncDispose]());

const script = (name: string, url: string, token: string): Command =>
  command(join(ROOT, "examples", name), [], { home: host.home, env: { HOST: url, TOKEN: token } });

describe("the examples", () => {
  it.each(["wedge1-curl.sh", "wedge1-session-curl.sh", "wedge1-fs-tour.sh"])(
    "%s runs with curl alone",
    async (name) => {
      const { code, stderr } = await script(name, host.url, host.token).finished;
      expect([code, stderr.includes("ok: ")], stderr).toEqual([0, true]);
    },
  );

  it("wedge1-sdk.mjs follows a session, answers it, and reads what it wrote", async () => {
    const { code, stdout, stderr } = await command(process.execPath, [join(ROOT, "examples", "wedge1-sdk.mjs")], {
      home: host.home,
      env: { HOST: host.url, TOKEN: host.token },
    }).finished;
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("allowing Write");
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("hello.txt: hi");
  });

  it("wedge1-server.ts is a whole host in one file", async () => {
    const home = await makeHome();
    const token = "a-token-for-the-example-host";
    const server = command(process.execPath, [join(ROOT, "examples", "wedge1-server.ts")], {
      home,
      env: { PORT: "0", TOKEN: token },
    });
    await eventually(30_000, "the example host to listen", () => server.stdout().includes("listening on"));
    const url = /listening on (\S+)/.exec(server.stdout())?.[1] ?? "";
    const { code, stderr } = await script("wedge1-curl.sh", url, token).finished;
    expect(code, stderr).toBe(0);
    server.child.kill("SIGTERM");
    expect((await server.finished).code, server.stderr()).toBe(0);
    const { readdir, rm } = await import("node:fs/promises");
    expect(await readdir(home)).toEqual([]);
    await rm(home, { recursive: true, force: true });
  });
});
