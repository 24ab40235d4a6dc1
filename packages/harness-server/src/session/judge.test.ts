import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createJudge } from "./judge.ts";

const root = mkdtempSync(join(tmpdir(), "ca-judge-"));
const workspace = join(root, "work");

beforeAll(() => {
  mkdirSync(join(workspace, "src"), { recursive: true });
  writeFileSync(join(root, "secret"), "s");
  writeFileSync(join(workspace, "src", "a.txt"), "a");
  symlinkSync(join(root, "secret"), join(workspace, "file"));
  symlinkSync(root, join(workspace, "folder"));
  symlinkSync(join(root, "new"), join(workspace, "nowhere"));
  symlinkSync("src", join(workspace, "inner"));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

type Settings = Pick<Parameters<typeof createJudge>[0], "access" | "permissionMode">;

/** What happens to a call in the workspace. */
function judged(toolName: string, input: Record<string, string>, settings: Partial<Settings> = {}) {
  const judge = createJudge({
    dirs: { workspace, workspaceOwned: false },
    access: "workspace_write",
    permissionMode: "ask",
    governance: {},
    ...settings,
  });
  return judge({ callId: "c", toolName, input });
}

describe("links in a workspace", () => {
  it.each([["file"], ["folder/secret"], ["nowhere"], ["folder/missing/deep"]])("reading %s is asked for", (path) => {
    expect(judged("Read", { file_path: path })).toMatchObject({ verdict: "ask", risk: "high" });
    expect(judged("Read", { file_path: path }, { permissionMode: "deny" }).verdict).toBe("deny");
  });

  it("writing through one is writing outside", () => {
    const auto = { permissionMode: "auto" } as const;
    expect(judged("Write", { file_path: "folder/x" }, auto).verdict).toBe("deny");
    expect(judged("Bash", { command: "echo x > nowhere" }, auto).verdict).toBe("deny");
    expect(judged("Write", { file_path: "inner/x" }, auto).verdict).toBe("allow");
  });

  it.each([["src/a.txt"], ["inner/a.txt"], ["missing"], ["."]])("reading %s is not", (path) => {
    expect(judged("Read", { file_path: path })).toMatchObject({ verdict: "allow", risk: "low" });
  });
});
