import { mkdir, rename, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testFolders, writeFiles } from "../fixtures/folders.ts";
import { wireErrorOf } from "../fixtures/load.ts";
import { IdentityFolder } from "./identity-folder.ts";
import { readAgent } from "./read-agent.ts";

const FILES = {
  "agent.yaml": "name: a\nversion: 1.0.0\ndescription: |\n  two\n  lines\n",
  "SOUL.md": "# Soul\n\nYou are plain.\n",
  "RULES.md": "Rule\n",
  "skills/s/SKILL.md": "---\nname: s\ndescription: d\n---\n\nDo\nthis\n",
  "knowledge/index.yaml": "documents:\n  - path: k.md\n    always_load: true\n",
  "knowledge/k.md": "Know\nthis\n",
};
const ALL = Object.keys(FILES);

async function reading(change: (text: string) => string, prepare?: (dir: string) => Promise<void>) {
  await using folders = await testFolders();
  await writeFiles(folders.dir, Object.fromEntries(Object.entries(FILES).map(([path, text]) => [path, change(text)])));
  await prepare?.(folders.dir);
  return await readAgent(folders.dir);
}

/** Moves a file and leaves a link to it. */
async function link(dir: string, file: string, to: string): Promise<void> {
  await mkdir(dirname(join(dir, to)), { recursive: true });
  await rename(join(dir, file), join(dir, to));
  await symlink(relative(dirname(join(dir, file)), join(dir, to)), join(dir, file));
}

describe("one agent in many spellings", () => {
  it.each<[string, (text: string) => string]>([
    ["CRLF", (text) => text.replaceAll("\n", "\r\n")],
    ["a byte order mark", (text) => `\uFEFF${text}`],
    ["both", (text) => `\uFEFF${text.replaceAll("\n", "\r\n")}`],
  ])("is read alike with %s", async (_name, change) => {
    expect(await reading(change)).toEqual(await reading((text) => text));
  });

  it.each(ALL)("is read alike when %s is a link inside", async (file) => {
    const linked = await reading(
      (text) => text,
      (dir) => link(dir, file, "shared/target"),
    );
    expect(linked).toEqual(await reading((text) => text));
  });

  it.each(["agent.yaml", "SOUL.md"])("is refused when %s is a link to the outside", async (file) => {
    const error = await wireErrorOf(
      reading(
        (text) => text,
        (dir) => link(dir, file, "../outside"),
      ),
    );
    expect(error.errors?.[0]).toMatchObject({ file, message: "is a link that leads outside or nowhere" });
  });

  it.each(["RULES.md", "skills/s/SKILL.md", "knowledge/index.yaml", "knowledge/k.md"])(
    "is noticed when %s is a link to the outside",
    async (file) => {
      const { notices } = await reading(
        (text) => text,
        (dir) => link(dir, file, "../outside"),
      );
      expect(notices).toHaveLength(1);
    },
  );

  it("is the same text for any text", async () => {
    await using folders = await testFolders();
    const folder = await IdentityFolder.open(folders.dir);
    const text = fc.array(fc.constantFrom("a", "é", "\n", "- ", "\u2028", "😀")).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(text, async (plain) => {
        await writeFiles(folders.dir, { a: plain, b: `\uFEFF${plain.replaceAll("\n", "\r\n")}` });
        expect(await folder.readText("b", 1e6)).toEqual(await folder.readText("a", 1e6));
      }),
      { numRuns: 50 },
    );
  });
});
