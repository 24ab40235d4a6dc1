import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The real checkout. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A folder that is removed after the test. */
export function scratch(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "computeragent-tooling-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Writes files below a folder, making the folders between. */
export function writeTree(dir: string, files: Record<string, string>, mode = 0o644): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text, { mode });
  }
}

/** The end of a process with all that it wrote. */
export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Waits for a process started with pipes. */
export function outcome(child: ChildProcess): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    let stdout = "";
    let stderr = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      stdout += chunk.toString("utf8");
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      stderr += chunk.toString("utf8");
    });
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** Waits for a file and reads it. */
export async function contentOf(dir: string, name: string): Promise<string> {
  while (!existsSync(join(dir, name))) await sleep(30);
  return readFileSync(join(dir, name), "utf8");
}

/** Waits until no process has that pid. */
export async function untilGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(30);
  }
}

const manifest = (name: string, dependencies: Record<string, string>) =>
  JSON.stringify({ name: `@computeragent/${name}`, dependencies });

/** Prints what it was given, so that a test sees what reached the program. */
const PROGRAM = `console.log(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd() }));
process.exitCode = Number(process.env.TEST_EXIT ?? 0);`;

/** Stands in for the compiler: writes what a build leaves behind, and logs that it ran. */
const TSC = `const fs = require("node:fs");
fs.appendFileSync("calls.log", "tsc " + process.argv.slice(2).join(" ") + "\\n");
if (fs.existsSync("break-build")) { console.log("src/x.ts: error TS1"); process.exit(2); }
for (const dir of process.argv.slice(3)) {
  fs.mkdirSync(dir + "/dist/bin", { recursive: true });
  fs.writeFileSync(dir + "/dist/.tsbuildinfo", "");
}
fs.writeFileSync("packages/cli/dist/bin/computeragent.js", ${JSON.stringify(PROGRAM)});`;

/** Stands in for the bundler. */
const BUNDLER = `import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
appendFileSync("calls.log", "bundle\\n");
mkdirSync("packages/cli/bundle", { recursive: true });
writeFileSync("packages/cli/bundle/main.js", "");`;

/** Stands in for the package managers: no test of the tooling may download anything. */
const NPM = `#!/bin/sh
echo "npm $*" >> calls.log
[ ! -e break-npm ] || { echo "npm error code ENOTFOUND"; exit 1; }
home=.tools/node_modules/$(node -p '"node-" + process.platform + "-" + process.arch')
mkdir -p "$home/bin" .tools/node_modules/.bin .tools/node_modules/pnpm
ln -sf "$(command -v node)" "$home/bin/node"
printf '{"version":"24.22.3"}' > "$home/package.json"
printf '{"version":"12.4.2"}' > .tools/node_modules/pnpm/package.json
cp fake-pnpm .tools/node_modules/.bin/pnpm
`;
const PNPM = `#!/bin/sh
echo "pnpm $*" >> calls.log
[ ! -e slow-install ] || { echo $$ > draft; mv draft install.pid; exec sleep 60; }
[ ! -e break-pnpm ] || { echo "ERR_PNPM_NO_SPACE"; exit 1; }
mkdir -p node_modules/typescript/bin packages/cli/node_modules
cp fake-tsc node_modules/typescript/bin/tsc
`;

/** A checkout with the real scripts around stand-ins for npm, pnpm and the compiler. */
export interface Checkout {
  readonly dir: string;
  /** The environment with the stand-ins first on PATH. */
  readonly env: NodeJS.ProcessEnv;
  /** The commands that the stand-ins were called with since the last look. */
  calls(): string[];
  start(args: readonly string[], env?: NodeJS.ProcessEnv): ChildProcess;
  run(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Outcome>;
}

/** Lays out such a checkout. */
export function fakeCheckout(): Checkout {
  const dir = scratch();
  cpSync(join(ROOT, "scripts"), join(dir, "scripts"), { recursive: true });
  cpSync(join(ROOT, "package.json"), join(dir, "package.json"));
  writeTree(dir, {
    "pnpm-workspace.yaml": "packages:\n  - packages/*\n",
    "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
    "tsconfig.base.json": "{}",
    "packages/cli/package.json": manifest("cli", { "@computeragent/protocol": "workspace:*", zod: "1" }),
    "packages/cli/tsconfig.json": "{}",
    "packages/cli/src/index.ts": "export {};\n",
    "packages/protocol/package.json": manifest("protocol", {}),
    "packages/protocol/tsconfig.json": "{}",
    "packages/protocol/src/index.ts": "export {};\n",
    "packages/apart/package.json": manifest("apart", {}),
    "packages/apart/tsconfig.json": "{}",
    "scripts/check.mjs": PROGRAM,
    "scripts/bundle.mjs": BUNDLER,
    "fake-tsc": TSC,
  });
  const otherPnpm = "#!/bin/sh\necho 1.0.0\n";
  writeTree(dir, { "fake-bin/npm": NPM, "fake-bin/pnpm": otherPnpm, "fake-pnpm": PNPM }, 0o755);
  const { CI: _, ...inherited } = process.env;
  const env = { ...inherited, PATH: `${join(dir, "fake-bin")}:${dirname(process.execPath)}:/usr/bin:/bin` };
  const start = (args: readonly string[], extra: NodeJS.ProcessEnv = {}) =>
    spawn(process.execPath, [join(dir, "scripts", "bootstrap.mjs"), ...args], {
      cwd: dir,
      env: { ...env, ...extra },
      stdio: ["ignore", "pipe", "pipe"],
    });
  return {
    dir,
    env,
    start,
    run: (args, extra) => outcome(start(args, extra)),
    calls() {
      const path = join(dir, "calls.log");
      let text = "";
      try {
        text = readFileSync(path, "utf8");
      } catch {
        return [];
      }
      rmSync(path);
      return text.trim().split("\n");
    },
  };
}
