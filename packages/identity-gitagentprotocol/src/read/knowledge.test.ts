import { execFileSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stitchInstructions } from "../adapters/instructions.ts";
import { testFolders, writeFiles } from "../fixtures/folders.ts";
import { TINY } from "../fixtures/load.ts";
import { readAgent } from "./read-agent.ts";

const always = (...paths: string[]): string =>
  `documents:\n${paths.map((path) => `  - {path: ${JSON.stringify(path)}, always_load: true}\n`).join("")}`;

async function read(files: Readonly<Record<string, string>>, prepare?: (dir: string) => Promise<unknown>) {
  await using folders = await testFolders();
  await writeFiles(folders.dir, { ...TINY, ...files });
  await prepare?.(folders.dir);
  const { agent, notices } = await readAgent(folders.dir);
  return { agent, knowledge: agent.knowledge, told: notices.map(({ code, path }) => `${code} ${path}`) };
}

describe("knowledge", () => {
  it.each(["documents", "entries"])(
    "marked always_load under %s is part of the instructions, in its order",
    async (key) => {
      const { agent, told } = await read({
        "knowledge/index.yaml": `${key}:\n  - {path: b.md, always_load: true}\n  - {path: x.md}\n  - {path: deep/a.md, always_load: true}\n`,
        "knowledge/b.md": "\uFEFFBee\r\nline\r\n",
        "knowledge/deep/a.md": "Ay",
        "knowledge/x.md": "Secret of x",
      });
      expect(stitchInstructions(agent)).toMatch(
        /# Knowledge \(knowledge\/b\.md\)\n\nBee\nline\n\n# Knowledge \(knowledge\/deep\/a\.md\)\n\nAy$/,
      );
      expect(told).toEqual([`gap.unsupported.knowledge knowledge/index.yaml#/${key}/1`]);
    },
  );

  it("is found by any spelling of a path inside, and read once", async () => {
    const { knowledge, told } = await read({
      "knowledge/index.yaml": always("./a.md", "deep/../a.md", "deep//b.md", "deep/../../SOUL.md"),
      "knowledge/a.md": "Ay",
      "knowledge/deep/b.md": "Bee",
    });
    expect(knowledge.map(({ file }) => file)).toEqual(["knowledge/a.md", "knowledge/deep/b.md"]);
    expect(told).toEqual(["gap.knowledge.path knowledge/index.yaml#/documents/3/path"]);
  });

  it("never reads outside of knowledge/ by name, nor outside of the identity by link", async () => {
    const { knowledge, told } = await read(
      { "knowledge/index.yaml": always("../SOUL.md", "/etc/passwd", "out.md", "gone.md", "in.md"), "RULES.md": "Rule" },
      async (dir) => {
        await writeFiles(join(dir, ".."), { "secret.md": "secret" });
        await symlink("../../secret.md", join(dir, "knowledge/out.md"));
        await symlink("../RULES.md", join(dir, "knowledge/in.md"));
      },
    );
    expect(knowledge).toEqual([{ file: "knowledge/in.md", text: "Rule" }]);
    expect(told).toEqual([
      "gap.knowledge.path knowledge/index.yaml#/documents/0/path",
      "gap.knowledge.path knowledge/index.yaml#/documents/1/path",
      "gap.knowledge.unread knowledge/index.yaml#/documents/2/path",
      "gap.knowledge.unread knowledge/index.yaml#/documents/3/path",
    ]);
  });

  it("is bounded for one document and for all of them", async () => {
    const names = ["a.md", "b.md", "c.md", "d.md", "e.md"];
    const files = Object.fromEntries(names.map((name) => [`knowledge/${name}`, "é".repeat(40_000)]));
    const { knowledge, told } = await read({ ...files, "knowledge/index.yaml": always(...names) });
    const size = knowledge.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    expect(Buffer.byteLength(knowledge[0]?.text ?? "")).toBe(64 * 1024);
    expect(size).toBeLessThanOrEqual(256 * 1024);
    expect(size).toBeGreaterThan(255 * 1024);
    expect(told).toHaveLength(5);
  });

  it("passes over what is no text: a pipe without writer, a folder, bytes", async () => {
    const { knowledge, told } = await read(
      { "knowledge/index.yaml": always("pipe", "folder", "bytes"), "knowledge/folder/x": "", "knowledge/bytes": "\0" },
      async (dir) => execFileSync("mkfifo", [join(dir, "knowledge/pipe")]),
    );
    expect(knowledge).toEqual([]);
    expect(told.map((line) => line.split(" ")[0])).toEqual(Array(3).fill("gap.knowledge.unread"));
  });

  it.each([
    ["", "gap.knowledge.index knowledge/index.yaml#"],
    ["a: [", "gap.knowledge.index knowledge/index.yaml#"],
    ["documents: 3", "gap.knowledge.index knowledge/index.yaml#"],
    [`documents: []\n# ${"x".repeat(70_000)}`, "gap.knowledge.index knowledge/index.yaml#"],
    ["documents: []\nmood: 1", "gap.unknown_key knowledge/index.yaml#/mood"],
    ["documents: [{path: 3}]", "gap.knowledge.entry knowledge/index.yaml#/documents/0/path"],
    ["documents: [{path: a, always_load: true, load: x}]", "gap.unknown_key knowledge/index.yaml#/documents/0/load"],
  ])("loads in spite of the index %j", async (index, notice) => {
    const { told } = await read({ "knowledge/index.yaml": index, "knowledge/a": "A" });
    expect(told).toEqual([notice]);
  });
});
