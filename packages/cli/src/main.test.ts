import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
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

  it("reads scenarios for the offline model, and says which file is no good", async () => {
    const good = join(home, "good.yaml");
    const bad = join(home, "bad.yaml");
    await writeFile(good, "name: hello\nmatch: {user: hello}\nsteps:\n  - say: from a scenario\n");
    await writeFile(bad, "name: 1\n");
    expect(await served(["--scenario", good], async () => {})).toBe(0);
    expect(await cli("serve", "--port", "0", "--scenario", bad)).toBe(1);
    expect(err).toContain(`cannot use the scenarios in ${bad}`);
  });
});

describe("validate", () => {
  const MANIFEST = "name: a\nversion: 1.0.0\ndescription: d\n";

  /** A folder with an agent of these files. */
  async function agent(files: Record<string, string>): Promise<string> {
    const dir = await mkdtemp(join(home, "agent-"));
    for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text);
    return dir;
  }

  it("finds nothing wrong with a good agent", async () => {
    const dir = await agent({ "agent.yaml": MANIFEST, "SOUL.md": "Be kind.\n" });
    expect(await cli("validate", dir)).toBe(0);
    expect(out).toBe("a 1.0.0 is valid (lenient): nothing to report\n");
  });

  it("lists every problem by file and line, for people and as JSON", async () => {
    const dir = await agent({
      "agent.yaml": `${MANIFEST}colour: red\nskills: [absent]\n`,
      "SOUL.md": "# Only a heading\n",
    });
    expect(await cli("validate", dir)).toBe(1);
    expect(out).toMatch(/^SOUL\.md\n {2}error .*\(.*S3\)$/m);
    expect(out).toMatch(/^agent\.yaml$/m);
    expect(out).toMatch(/warning \/colour: .*\(line 4, X1\)/);
    expect(out).toMatch(/is invalid \(lenient\): 2 errors, 1 warning\n$/);
    out = "";
    expect(await cli("validate", dir, "--strict", "--json")).toBe(1);
    const told = JSON.parse(out);
    expect(told).toMatchObject({ source: dir, profile: "strict", valid: false, sha: null, agent: { name: "a" } });
    expect(told.findings).toContainEqual(
      expect.objectContaining({ severity: "error", file: "agent.yaml", pointer: "/colour", line: 4 }),
    );
  });

  it("tells wrong use from a source that is not there", async () => {
    const dir = await agent({ "agent.yaml": MANIFEST });
    expect(await cli("validate", "inline:x", "--ref", "v1")).toBe(2);
    expect(await cli("validate", dir, "--subdir", "../elsewhere")).toBe(2);
    expect(await cli("validate", 'inline:{"manifest":1}')).toBe(2);
    expect(await cli("validate", "https://127.0.0.1:9/o/r.git")).toBe(3);
    expect(err).toContain("SOURCE_UNREACHABLE");
  });
});
