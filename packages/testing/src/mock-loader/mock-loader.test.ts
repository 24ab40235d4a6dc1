import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IdentitySource, WireError } from "@computeragent/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { identityLoaderContract } from "../identity-loader-contract/identity-loader-contract.ts";
import { createMockLoader } from "./create-mock-loader.ts";
import type { MockLoaderOptions } from "./options.ts";

const loader = createMockLoader();
const contract = identityLoaderContract(() => ({
  loader,
  engine: "mock",
  good: {
    source: { type: "inline", manifest: { name: "ann", version: "1.2.3" }, files: { "a/b.md": "x" } },
    name: "ann",
  },
  invalid: { type: "inline", manifest: { name: 7 } },
}));

describe("contract", () => {
  for (const c of contract) it(`${c.id}: ${c.behaviour}`, c.run);

  it("notices a loader that writes elsewhere, and one that lets bad manifests pass", async () => {
    const bad = identityLoaderContract(() => ({
      loader: {
        name: "bad",
        load: (request) => loader.load({ ...request, dir: join(request.dir, "..", "elsewhere") }),
      },
      engine: "mock",
      good: { source: { type: "inline", manifest: {} }, name: "mock-agent" },
      invalid: { type: "inline", manifest: {} },
    }));
    const run = (id: string) => bad.find((c) => c.id === `identity-loader.${id}`)?.run();
    await expect(run("load.inside")).rejects.toThrow();
    await expect(run("invalid")).rejects.toThrow();
  });
});

describe("mock loader", () => {
  let dir = "";
  afterEach(() => rmSync(dir, { recursive: true, force: true }));
  const load = (source: IdentitySource, options?: MockLoaderOptions) => {
    dir = mkdtempSync(join(tmpdir(), "ca-mock-loader-"));
    const signal = new AbortController().signal;
    return createMockLoader(options).load({ source, targetEngine: "mock", dir, generatedDir: dir, signal });
  };

  it("takes over what the manifest says, and writes the files", async () => {
    const result = await load({
      type: "inline",
      manifest: {
        name: "bob",
        instructions: "be brief",
        model: { preferred: "m" },
        governance: { hitl: "always", limits: { maxTurns: 3 } },
        notices: [{ level: "info", code: "x", message: "y" }],
      },
      files: { "skills/a/SKILL.md": "text" },
    });
    expect(result).toEqual({
      info: { name: "bob", version: "0.0.0", sha: null },
      profile: { instructions: "be brief" },
      governance: { hitl: "always", limits: { maxTurns: 3 } },
      model: { preferred: "m", fallbacks: [] },
      notices: [{ level: "info", code: "x", message: "y" }],
    });
    expect(readFileSync(join(dir, "skills/a/SKILL.md"), "utf8")).toBe("text");
  });

  it("accepts other sources without fetching them, with the governance it was given", async () => {
    const governance = { access: "read_only" } as const;
    const result = await load({ type: "git", url: "https://example.invalid/x.git" }, { governance });
    expect(result.governance).toEqual(governance);
    expect(readdirSync(dir)).toEqual(["agent.json"]);
  });

  it("points into the manifest, and fails on demand", async () => {
    const wrong = load({ type: "inline", manifest: { governance: { hitl: "sometimes" } } });
    await expect(wrong).rejects.toMatchObject({ code: "IDENTITY_INVALID", errors: [{ pointer: "/governance/hitl" }] });
    rmSync(dir, { recursive: true });
    const fail = new WireError("SOURCE_UNREACHABLE", "no");
    await expect(load({ type: "local", path: "/x" }, { fail })).rejects.toBe(fail);
  });
});
