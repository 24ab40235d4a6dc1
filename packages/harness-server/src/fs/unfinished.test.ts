import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hiddenName } from "./hidden-name.ts";
import { removeUnfinished } from "./unfinished.ts";
import { createWorkspaceFs } from "./workspace-fs.ts";

let root: string;
let ws: string;
let notes: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "unfinished-"));
  [ws, notes] = [join(root, "ws"), join(root, "host", "unfinished")];
  mkdirSync(ws);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const files = () => createWorkspaceFs({ root: ws, maxFileBytes: 1000, unfinished: notes });

describe("what is not finished", () => {
  it("is noted while it is written, not listed, and no longer noted once it is there or was given up", async () => {
    const fs = files();
    const seen: unknown[] = [];
    async function* source() {
      yield Buffer.from("new");
      const [note = ""] = readdirSync(notes);
      seen.push(readlinkSync(join(notes, note)) === join(ws, note), readdirSync(ws), (await fs.tree({})).entries);
    }
    const { size } = await fs.write("f", source());
    expect(size).toBe(3);
    expect(seen).toEqual([true, [expect.stringMatching(/^\.ca-[0-9a-f]{24}\.tmp$/)], []]);
    expect([readdirSync(notes), readdirSync(ws)]).toEqual([[], ["f"]]);
    await expect(fs.write("g", Buffer.alloc(1001))).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    await fs.edit({ path: "f", old_string: "new", new_string: "newer" });
    expect([readdirSync(notes), readdirSync(ws)]).toEqual([[], ["f"]]);
  });

  it("is written all the same where it cannot be noted", async () => {
    writeFileSync(join(root, "host"), "no folder");
    await files().write("f", Buffer.from("new"));
    expect(readdirSync(ws)).toEqual(["f"]);
  });

  it("is removed afterwards with its note: files, folders and what is gone already, and nothing else", async () => {
    mkdirSync(notes, { recursive: true });
    const [file, folder, gone, other] = [hiddenName(), hiddenName(), hiddenName(), hiddenName()];
    writeFileSync(join(ws, file), "half");
    mkdirSync(join(ws, folder, "sub"), { recursive: true });
    writeFileSync(join(ws, other), "another host's");
    writeFileSync(join(ws, "kept"), "kept");
    for (const name of [file, folder, gone]) symlinkSync(join(ws, name), join(notes, name));
    symlinkSync(join(ws, "kept"), join(notes, hiddenName()));
    symlinkSync(join(ws, "kept"), join(notes, "kept"));
    await removeUnfinished(notes);
    expect(readdirSync(ws).sort()).toEqual([other, "kept"].sort());
    expect(readdirSync(notes)).toHaveLength(2);
    await removeUnfinished(join(root, "none"));
  });
});
