import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@computeragent/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasControlCharacter } from "../files/safe-path.ts";
import { readTree, testFolders } from "../fixtures/folders.ts";
import { loadInto, TINY, wireErrorOf } from "../fixtures/load.ts";

const manifest: JsonObject = { name: "inline-agent", version: "1.0.0", description: "Given in a request" };
const files = { "SOUL.md": TINY["SOUL.md"] };

describe("an inline source", { timeout: 120_000 }, () => {
  it("becomes a repository like any other", async () => {
    await using folders = await testFolders();
    const skill = "---\nname: greet\ndescription: Say hello\n---\nHello.\n";
    const result = await loadInto(folders, {
      type: "inline",
      manifest: {
        ...manifest,
        version: "1.0.0",
        model: { preferred: "claude-opus-5-5" },
        metadata: { when: "2026-01-01", on: "yes" },
      },
      files: { ...files, "skills/greet/SKILL.md": skill, "data/ü.txt": "ü" },
    });
    expect(result.info).toEqual({ name: "inline-agent", version: "1.0.0", sha: null });
    expect(result.profile.skills?.names).toEqual(["greet"]);
    expect(await readTree(folders.dir)).toMatchObject({ "SOUL.md": TINY["SOUL.md"], "data/ü.txt": "ü" });
  });

  it("is invalid without SOUL.md, and every problem has its place", async () => {
    await using folders = await testFolders();
    const error = await wireErrorOf(
      loadInto(folders, { type: "inline", manifest: { name: "X", runtime: { timeout: 0 } } }),
    );
    expect(error.code).toBe("IDENTITY_INVALID");
    expect(error.errors?.map(({ file, pointer }) => `${file}#${pointer}`).sort()).toEqual([
      "SOUL.md#",
      "agent.yaml#/name",
      "agent.yaml#/runtime/timeout",
      "agent.yaml#/version",
    ]);
    expect(await readdir(folders.dir)).toEqual([]);
  });

  it.each([
    ["../evil", "PATH_ESCAPE"],
    ["/etc/evil", "PATH_ESCAPE"],
    ["a/../../evil", "PATH_ESCAPE"],
    ["a\\evil", "IDENTITY_INVALID"],
    ["a\0evil", "IDENTITY_INVALID"],
    ["\u001b[2Jevil", "IDENTITY_INVALID"],
    [".git/hooks/post-checkout", "IDENTITY_INVALID"],
    ["agent.yaml", "IDENTITY_INVALID"],
    ["SOUL.md/evil", "IDENTITY_INVALID"],
    ["agent.yaml/evil", "IDENTITY_INVALID"],
  ])("may not have a file called %j", async (name, code) => {
    await using folders = await testFolders();
    const error = await wireErrorOf(
      loadInto(folders, { type: "inline", manifest, files: { ...files, [name]: "evil" } }),
    );
    expect(error.code).toBe(code);
    expect(error.errors?.[0]?.file).toBe(name);
    expect(hasControlCharacter(error.message)).toBe(false);
    expect(await readTree(join(folders.root, "session"))).toEqual({ generated: "<folder>", identity: "<folder>" });
  });

  it("counts towards the limits", async () => {
    await using folders = await testFolders();
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, ""]));
    const source = { type: "inline" as const, manifest, files: { ...files, ...many } };
    expect((await wireErrorOf(loadInto(folders, source, { limits: { maxFiles: 10 } }))).message).toMatch(
      /more than 10 files/,
    );
    expect((await wireErrorOf(loadInto(folders, source, { limits: { maxBytes: 50 } }))).message).toMatch(
      /larger than 50/,
    );
  });

  it("writes nothing outside its folder, whatever the names are", async () => {
    const part = fc.constantFrom(
      "..",
      ".",
      "a",
      "b.md",
      "",
      "~",
      "\\",
      "...",
      ".git",
      "SOUL.md",
      "\0",
      "x".repeat(300),
      "é",
    );
    const name = fc.oneof(
      fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("/")),
      fc.string({ minLength: 1, maxLength: 20, unit: "binary" }),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, fc.string(), { maxKeys: 4 }), async (hostile) => {
        await using folders = await testFolders();
        const outcome = await loadInto(folders, { type: "inline", manifest, files: { ...hostile, ...files } }).then(
          () => "loaded",
          () => "refused",
        );
        expect(await readdir(folders.root)).toEqual(["session"]);
        expect((await readdir(join(folders.root, "session"))).sort()).toEqual(["generated", "identity"]);
        const written = Object.entries(await readTree(folders.dir)).filter(([, text]) => text !== "<folder>");
        const asked = { ...hostile, ...files, "agent.yaml": expect.any(String) };
        if (outcome === "refused") expect(written).toEqual([]);
        else expect(Object.keys(Object.fromEntries(written)).sort()).toEqual(Object.keys(asked).sort());
      }),
      { numRuns: 100 },
    );
  });
});
