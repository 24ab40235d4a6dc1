import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "@computeragent/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { main } from "./main.ts";

let home: string;
let out = "";
let err = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "ca-main-"));
});
beforeEach(() => {
  [out, err] = ["", ""];
  vi.stubEnv("COMPUTERAGENT_HOME", home);
  vi.stubEnv("ANTHROPIC_API_KEY", undefined);
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    err += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
afterAll(() => rm(home, { recursive: true, force: true }));

const cli = (...args: string[]) => main("computeragent", args);
const mock = ["--engine", "mock", "--workspace"];

/** Serves in this process until `work` is done. */
async function served(flags: string[], work: (url: string) => Promise<void>): Promise<number> {
  const serving = cli("serve", "--port", "0", ...flags);
  await eventually(20_000, "the host to listen", () => /listening on \S+/.test(out));
  await work(/listening on (\S+)/.exec(out)?.[1] ?? "");
  process.emit("SIGTERM", "SIGTERM");
  return await serving;
}

describe("main", () => {
  it("runs an agent on a private host", async () => {
    const dir = await mkdtemp(join(home, "w-"));
    expect(await cli("run", "inline:x", "-m", "!write a.txt hi\n!say done", ...mock, dir, "--permission", "auto")).toBe(
      0,
    );
    expect(out).toBe("done\n");
    expect(err).toContain("-> Write");
    expect(await readFile(join(dir, "a.txt"), "utf8")).toBe("hi");
  });

  it("has an exit code for denial, failure, limits and refusal", async () => {
    const dir = await mkdtemp(join(home, "w-"));
    expect(await cli("run", "inline:x", "-m", "!write a.txt hi", ...mock, dir)).toBe(3);
    expect(err).toContain("no terminal to ask on");
    expect(await cli("run", "inline:x", "-m", "!error 500", ...mock, dir)).toBe(1);
    expect(
      await cli(
        "run",
        "inline:x",
        "-m",
        "!bash true\n!bash true\n!say x",
        ...mock,
        dir,
        "--max-turns",
        "1",
        "--permission",
        "auto",
      ),
    ).toBe(3);
    expect(await cli("run", 'inline:{"manifest":{}}', "-m", "x", ...mock, dir)).toBe(3);
    expect(await cli("run", "inline:x", "-m", "x", "--host", "http://127.0.0.1:9")).toBe(1);
    expect(err).toContain("computeragent serve");
    expect(await cli("run", "inline:x", "-m", "x", "--workspace", "/no/such")).toBe(2);
    expect(await cli("run", "inline:x", "-m", "x", "--nonsense")).toBe(2);
  });

  it("serves, tells its health, and drives it with this machine's token", async () => {
    const dir = await mkdtemp(join(home, "w-"));
    const code = await served(["--mock", "--allow-workspace", home], async (url) => {
      expect(await cli("health", "--host", url)).toBe(0);
      expect(out).toContain("engine mock");
      expect(await cli("health", "--host", url, "--json")).toBe(0);
      expect(out).toContain('"defaultRoute": "offline"');
      expect(await cli("health", "--host", url, "--token", "not-the-token-at-all")).toBe(0);
      expect(out).toContain("no details");
      const flags = [...mock, dir, "--host", url, "--json", "--route", "offline"];
      expect(await cli("run", "inline:x", "-m", "!say over http", ...flags)).toBe(0);
      expect(out).toContain("ca_session_ended");
    });
    expect(code).toBe(0);
    expect(await cli("token")).toBe(0);
    expect(out).toContain((await readFile(join(home, "host-token"), "utf8")).trim());
  });

  it("serves without a token on loopback only, and says so", async () => {
    expect(
      await served(["--no-auth"], async (url) => void expect((await fetch(`${url}/v1/sessions`)).status).toBe(200)),
    ).toBe(0);
    expect(out).toContain("no authentication");
    expect(await cli("serve", "--no-auth", "--host", "0.0.0.0")).toBe(2);
  });

  it("explains why it cannot listen", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const port = String((other.address() as AddressInfo).port);
    expect(await cli("serve", "--port", port)).toBe(1);
    expect(await cli("model", "serve", "--port", port)).toBe(1);
    expect(err.match(new RegExp(`port ${port} is in use`, "g"))).toHaveLength(2);
    expect(await cli("serve", "--host", "192.0.2.1", "--port", "0")).toBe(1);
    expect(err).toContain("not an address of this machine");
    other.close();
  });

  it("serves the offline model alone", async () => {
    const serving = cli("model", "serve", "--port", "0");
    await eventually(20_000, "the model to listen", () => out.includes("http://"));
    process.emit("SIGINT", "SIGINT");
    expect(await serving).toBe(130);
  });
});
