import { existsSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { run } from "@computeragent/supervisor";
import { describe, expect, it } from "vitest";
import { makeExecutable, readTree, testFolders, writeFiles } from "../fixtures/folders.ts";
import { git, makeRepository } from "../fixtures/git-repository.ts";
import { serveGit } from "../fixtures/git-server.ts";
import { loadInto, noticeCodes, TINY, wireErrorOf } from "../fixtures/load.ts";
import { createGitCheckout } from "../index.ts";

describe("a hostile repository", { timeout: 120_000 }, () => {
  it("runs nothing: no hook, no filter, no template, no alias of the machine's configuration", async () => {
    await using folders = await testFolders();
    const mark = join(folders.root, "it-ran");
    const origin = join(folders.root, "origin");
    await makeRepository(origin, { ...TINY, ".gitattributes": "*.md filter=evil\n*.yaml filter=lfs\n" });
    const script = `#!/bin/sh\ntouch ${mark}\ncat\n`;
    await writeFiles(folders.root, {
      "template/hooks/post-checkout": script,
      "template/hooks/reference-transaction": script,
      "home/.gitconfig": `[filter "evil"]\n\tsmudge = touch ${mark}\n\trequired = true\n[core]\n\tfsmonitor = touch ${mark}\n\tsshCommand = touch ${mark}\n`,
    });
    await makeExecutable(join(folders.root, "template/hooks/post-checkout"));
    await makeExecutable(join(folders.root, "template/hooks/reference-transaction"));
    const env = {
      PATH: process.env.PATH,
      HOME: join(folders.root, "home"),
      GIT_TEMPLATE_DIR: join(folders.root, "template"),
      GIT_CONFIG_GLOBAL: join(folders.root, "home/.gitconfig"),
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.hooksPath",
      GIT_CONFIG_VALUE_0: join(folders.root, "template/hooks"),
      GIT_SSH_COMMAND: `touch ${mark}`,
      GIT_EXEC_PATH: join(folders.root, "template"),
    };
    await loadInto(folders, { type: "git", url: origin }, { env });
    expect(existsSync(mark)).toBe(false);
    expect(Object.keys(await readTree(folders.dir))).toEqual([".gitattributes", "SOUL.md", "agent.yaml"]);
  });

  it("on this machine runs nothing that its own configuration names", async () => {
    await using folders = await testFolders();
    const mark = join(folders.root, "it-ran");
    const origin = join(folders.root, "origin");
    await makeRepository(origin, TINY);
    await writeFiles(folders.root, {
      "hooks/post-checkout": `#!/bin/sh\ntouch ${mark}\n`,
      "run.sh": `#!/bin/sh\ntouch ${mark}\n`,
    });
    await makeExecutable(join(folders.root, "hooks/post-checkout"));
    await makeExecutable(join(folders.root, "run.sh"));
    for (const name of ["core.fsmonitor", "uploadpack.packObjectsHook", "core.alternateRefsCommand", "core.pager"]) {
      await git(origin, "config", name, join(folders.root, "run.sh"));
    }
    await git(origin, "config", "core.hooksPath", join(folders.root, "hooks"));
    await loadInto(folders, { type: "git", url: origin });
    await using fresh = await testFolders();
    await createGitCheckout({ run, localSources: "any" })({
      url: origin,
      dir: fresh.dir,
      signal: new AbortController().signal,
    });
    expect(existsSync(mark)).toBe(false);
  });

  it("does not get its submodules fetched", async () => {
    await using folders = await testFolders();
    const inner = join(folders.root, "inner");
    const origin = join(folders.root, "origin");
    await makeRepository(inner, { "inner.txt": "inner" });
    await makeRepository(origin, TINY);
    await git(origin, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "parts/inner");
    await git(origin, "commit", "--quiet", "--message", "with a submodule");
    const result = await loadInto(folders, { type: "git", url: origin });
    expect(noticeCodes(result)).toContain("gap.source.submodule");
    expect(Object.keys(await readTree(folders.dir))).not.toContain("parts/inner/inner.txt");
  });

  it("cannot become a command through url, ref or subdir", async () => {
    await using folders = await testFolders();
    const mark = join(folders.root, "it-ran");
    const origin = join(folders.root, "origin");
    await makeRepository(origin, TINY);
    const hostile = [
      { url: `--upload-pack=touch ${mark}` },
      { url: `ext::sh -c touch% ${mark}` },
      { url: `-c core.sshCommand=touch ${mark}` },
      { url: `ssh://-oProxyCommand=touch ${mark}/x/y` },
      { url: `$(touch ${mark})` },
      { url: origin, ref: `--upload-pack=touch ${mark}` },
      { url: origin, ref: `--output=${mark}` },
      { url: origin, ref: `main;touch ${mark}` },
      { url: origin, subdir: `--output=${mark}` },
      { url: origin, subdir: `:(exclude)x` },
      { url: `${origin};touch ${mark}` },
      { url: `file://${origin}/$(touch ${mark})` },
    ];
    for (const source of hostile) {
      const error = await wireErrorOf(loadInto(folders, { type: "git", ...source }));
      expect(error.code).toBe("SOURCE_UNREACHABLE");
    }
    expect(existsSync(mark)).toBe(false);
  });
});

describe("a server", { timeout: 120_000 }, () => {
  it("that wants a password gets it from the URL, and it shows up nowhere else", async () => {
    await using folders = await testFolders();
    await makeRepository(join(folders.root, "srv/agent"), {
      ...TINY,
      "sub/agent.yaml": TINY["agent.yaml"],
      "sub/SOUL.md": TINY["SOUL.md"],
    });
    await using server = await serveGit(join(folders.root, "srv"), "s3cret");
    const url = (user: string): string => `http://${user}127.0.0.1:${server.port}/agent/.git`;
    await loadInto(folders, { type: "git", url: url("user:s3cret@"), subdir: "sub" });
    expect(Object.keys(await readTree(folders.dir))).toEqual(["SOUL.md", "agent.yaml"]);
    expect(server.authorizations.every((header) => header !== undefined)).toBe(true);

    for (const user of ["", "user:wr0ng@"]) {
      await using fresh = await testFolders();
      const error = await wireErrorOf(loadInto(fresh, { type: "git", url: url(user) }));
      expect(error.message).toBe(`Cannot fetch ${url("")}: access is denied`);
      expect(JSON.stringify([error.message, error.errors, String(error.cause)])).not.toContain("wr0ng");
    }
  });

  it("that does not have the repository gets it said so", async () => {
    await using folders = await testFolders();
    await using server = await serveGit(folders.root);
    const error = await wireErrorOf(
      loadInto(folders, { type: "git", url: `http://127.0.0.1:${server.port}/none.git` }),
    );
    expect(error.message).toMatch(/no such repository/);
  });

  it("cannot be asked when git is missing", async () => {
    await using folders = await testFolders();
    const origin = join(folders.root, "origin");
    await makeRepository(origin, TINY);
    await chmod(origin, 0o755);
    const error = await wireErrorOf(loadInto(folders, { type: "git", url: origin }, { env: { PATH: folders.root } }));
    expect(error.message).toMatch(/git could not be started/);
  });
});
