import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { ensureHome, ensureRuntimeDir, homeOf } from "./home.ts";
import { claimHostDirs, sweepDeadHosts } from "./host-record.ts";
import { ensureToken, readToken, tokenPath } from "./token-file.ts";

const root = await mkdtemp(join(tmpdir(), "ca-cli-"));
let home: string;
let runtime: string;
let n = 0;
beforeEach(async () => {
  home = join(root, `home-${n++}`);
  runtime = join(root, `run-${n}`);
  await mkdir(home);
  await mkdir(runtime);
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe("the state folder", () => {
  it("is COMPUTERAGENT_HOME, else below HOME, and private", async () => {
    expect(homeOf({ COMPUTERAGENT_HOME: "/x/y" })).toBe("/x/y");
    expect(homeOf({ HOME: "/home/me" })).toBe("/home/me/.computeragent");
    const made = await ensureHome({ COMPUTERAGENT_HOME: join(home, "state") });
    expect((await stat(made)).mode & 0o777).toBe(0o700);
    expect(await ensureHome({ COMPUTERAGENT_HOME: join(home, "state") })).toBe(made);
    await expect(ensureHome({ COMPUTERAGENT_HOME: "/proc/nowhere/at/all" })).rejects.toThrow("COMPUTERAGENT_HOME");
    await writeFile(join(home, "file"), "");
    await expect(ensureHome({ COMPUTERAGENT_HOME: join(home, "file", "x") })).rejects.toThrow("COMPUTERAGENT_HOME");
  });

  it("puts sockets into a folder that is ours alone", async () => {
    const dir = await ensureRuntimeDir({ XDG_RUNTIME_DIR: runtime });
    await chmod(dir, 0o777);
    expect(await ensureRuntimeDir({ XDG_RUNTIME_DIR: runtime })).toBe(dir);
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
    await rm(dir, { recursive: true });
    await symlink("/tmp", dir);
    await expect(ensureRuntimeDir({ XDG_RUNTIME_DIR: runtime })).rejects.toThrow("somebody else");
  });

  it("is made by several processes at once, and says where it cannot be", async () => {
    const deep = { COMPUTERAGENT_HOME: join(home, "a", "b", "c") };
    const made = await Promise.all(Array.from({ length: 8 }, () => ensureHome(deep)));
    expect(new Set(made)).toEqual(new Set([deep.COMPUTERAGENT_HOME]));
    await expect(ensureRuntimeDir({ XDG_RUNTIME_DIR: "/dev/null" })).rejects.toThrow("XDG_RUNTIME_DIR");
    await expect(ensureRuntimeDir({ XDG_RUNTIME_DIR: "/proc/none" })).rejects.toThrow("XDG_RUNTIME_DIR");
  });
});

describe("the host token", () => {
  it("is the same for everybody who makes it at once", async () => {
    expect(await readToken(home)).toBeUndefined();
    const tokens = await Promise.all(Array.from({ length: 8 }, () => ensureToken(home)));
    expect(new Set(tokens).size).toBe(1);
    expect((await stat(tokenPath(home))).mode & 0o777).toBe(0o600);
    expect(await readdir(home)).toEqual(["host-token"]);
  });

  it("says why it cannot be kept", async () => {
    await expect(ensureToken(join(home, "none"))).rejects.toThrow(/cannot write .*host-token: ENOENT$/);
  });

  it("is not replaced when the file holds something else", async () => {
    await writeFile(tokenPath(home), "short\n");
    await expect(ensureToken(home)).rejects.toThrow("does not hold a token");
    expect(await readFile(tokenPath(home), "utf8")).toBe("short\n");
  });
});

describe("the folders of hosts", () => {
  it("leave nothing behind when one of them cannot be made, and say why", async () => {
    await writeFile(join(root, "file"), "");
    const claim = claimHostDirs(home, join(root, "file"), "host_none-cccccccccccc");
    await expect(claim).rejects.toThrow(/cannot make the folders of a host .*: ENOTDIR$/);
    expect(await readdir(join(home, "hosts"))).toEqual([]);
  });

  it("are removed when their process is dead, and left alone when it lives or when nobody knows", async () => {
    const living = await claimHostDirs(home, runtime, "host_living-aaaaaaaaaaaa");
    const dead = await claimHostDirs(home, runtime, "host_dead-bbbbbbbbbbbb");
    const record = join(dead.dataDir, "host.json");
    const text = JSON.parse(await readFile(record, "utf8"));
    await writeFile(record, JSON.stringify({ ...text, process: { ...text.process, startTime: "1" } }));
    const foreign = join(home, "hosts", "somebody");
    await mkdir(foreign);
    await writeFile(
      join(foreign, "host.json"),
      JSON.stringify({ hostId: "somebody", process: text.process, tmpDir: "/" }),
    );
    expect(await sweepDeadHosts(home, runtime)).toBe(1);
    expect([living.dataDir, living.tmpDir, foreign].map(existsSync)).toEqual([true, true, true]);
    expect([dead.dataDir, dead.tmpDir].map(existsSync)).toEqual([false, false]);
    await living.remove();
    expect(existsSync(living.dataDir)).toBe(false);
    expect(await sweepDeadHosts(join(home, "none"), runtime)).toBe(0);
  });
});
