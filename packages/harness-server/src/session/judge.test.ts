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

describe("the host's own folder", () => {
  const home = join(root, "host");
  const own = join(home, "homes", "one");
  const judge = (permissionMode: Settings["permissionMode"], dir = workspace) =>
    createJudge(
      { dirs: { workspace: dir, workspaceOwned: false, owned: [own] }, access: "full", permissionMode, governance: {} },
      home,
    );
  beforeAll(() => {
    mkdirSync(own, { recursive: true });
    mkdirSync(join(home, "work", "one"), { recursive: true });
    symlinkSync(home, join(workspace, "to-host"));
    symlinkSync(home, join(own, "to-host"));
  });
  const read = (path: string) => ({ callId: "c", toolName: "Read", input: { file_path: path } });
  const run = (command: string) => ({ callId: "c", toolName: "Bash", input: { command } });

  it("is destructive to touch, and asked for in mode auto", () => {
    for (const call of [
      read(join(home, "host-token")),
      run(`cat ${home}/host-token`),
      run(`cp ${home}/host-token x`),
    ]) {
      expect(judge("auto")(call)).toMatchObject({ verdict: "ask", risk: "destructive" });
      expect(judge("deny_destructive")(call).verdict).toBe("deny");
    }
  });

  it("is found through a link too", () => {
    for (const path of ["to-host/host-token", join(own, "to-host", "host-token")]) {
      expect(judge("auto")(read(path))).toMatchObject({ verdict: "ask", risk: "destructive" });
    }
  });

  it("is not what the session itself was given there, nor what lies elsewhere", () => {
    expect(judge("auto")(read(join(own, "notes"))).verdict).toBe("allow");
    expect(judge("auto", join(home, "work", "one"))(read("a.txt"))).toMatchObject({ verdict: "allow", risk: "low" });
    expect(judge("auto")(read(join(root, "secret")))).toMatchObject({ verdict: "allow", risk: "high" });
  });
});
