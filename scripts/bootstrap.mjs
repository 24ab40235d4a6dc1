#!/usr/bin/env node
// Brings a fresh checkout to the point where a command can run, then runs it. Needs Node 18 or newer and npm, nothing else.
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBuilt, isBuilt } from "./lib/build.mjs";
import { killRunning, SetupError } from "./lib/command.mjs";
import { ensureInstalled, isInstalled } from "./lib/install.mjs";
import { endWithParent, runJob } from "./lib/job.mjs";
import { releaseAll, withLock } from "./lib/lock.mjs";
import { createReport } from "./lib/report.mjs";
import { ensureTools, findNode, toolEnvironment } from "./lib/tools.mjs";
import { requirements } from "./lib/versions.mjs";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * What each command installs, and the program it runs with the arguments that follow the command.
 * @type {Record<string, { scope: import("./lib/install.mjs").Scope, job?: { program: string, args: string[], atRoot: boolean } }>}
 */
const COMMANDS = {
  start: { scope: "run", job: { program: "packages/cli/dist/bin/computeragent.js", args: ["demo"], atRoot: false } },
  test: { scope: "all", job: { program: "scripts/check.mjs", args: [], atRoot: true } },
  bench: { scope: "all", job: { program: "bench/src/index.ts", args: [], atRoot: true } },
  build: { scope: "run" },
  setup: { scope: "all" },
};

const USAGE = `usage: node scripts/bootstrap.mjs [--verbose] ${Object.keys(COMMANDS).join("|")} [arguments of the command]`;

const NEXT = `Ready. Try:
  npm start                        a sample agent does real work, no account needed
  bin/computeragent --help         everything else
  npm test                         every check
`;

/**
 * Installs and builds what a command needs; nothing if all of it is up to date.
 * @param {string} name
 * @param {import("./lib/report.mjs").Report} report
 */
async function prepare(name, report) {
  const scope = COMMANDS[name]?.scope ?? "all";
  const required = requirements(ROOT);
  const present = findNode(ROOT, required.node);
  if (present !== undefined && isInstalled(ROOT, scope, present.version) && isBuilt(ROOT, scope)) return present;
  const onWait = (/** @type {number | undefined} */ pid) =>
    report.line(`Another set-up (process ${pid ?? "unknown"}) is at work in this checkout; waiting for it.`);
  return withLock(
    join(ROOT, ".tools", "setup.lock"),
    async () => {
      const { node, pnpm } = await ensureTools(ROOT, required, report);
      const env = toolEnvironment(ROOT, node);
      await ensureInstalled(ROOT, scope, { node, pnpm, env, report });
      try {
        await ensureBuilt(ROOT, scope, { node, env, report });
      } catch (error) {
        // The checks run all the same and count this as one that failed.
        if (name !== "test" || !(error instanceof SetupError)) throw error;
        report.line(error.message);
      }
      return node;
    },
    onWait,
  );
}

const isCi = () => ![undefined, "", "0", "false"].includes(process.env.CI);

/** @param {readonly string[]} argv */
async function main(argv) {
  const at = argv.findIndex((arg) => !arg.startsWith("-"));
  const flags = argv.slice(0, Math.max(0, at));
  const [name = "", ...rest] = argv.slice(flags.length);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const unknown = flags.find((flag) => flag !== "--verbose");
  if (command === undefined || unknown !== undefined) {
    process.stderr.write(`${unknown === undefined ? "" : `unknown option ${unknown}\n`}${USAGE}\n`);
    return 2;
  }
  const loud = isCi() || ["verbose", "silly"].includes(process.env.npm_config_loglevel ?? "");
  const report = createReport({ verbose: flags.includes("--verbose") || loud });
  // Until the job runs there is nothing to wind down: end the installer, free the lock, go.
  const stop = (/** @type {NodeJS.Signals} */ signal) => {
    killRunning();
    releaseAll();
    process.exit(128 + constants.signals[signal]);
  };
  /** @type {NodeJS.Signals[]} */
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, stop);
  if (process.env.npm_lifecycle_event !== undefined) endWithParent();
  const node = await prepare(name, report);
  for (const signal of signals) process.off(signal, stop);
  if (command.job === undefined) {
    if (name === "setup") process.stdout.write(NEXT);
    return 0;
  }
  const { program, args, atRoot } = command.job;
  const path = join(ROOT, program);
  if (!existsSync(path)) throw new SetupError(`${program} does not exist; this checkout is incomplete.`);
  const options = program.endsWith(".ts") ? ["--conditions=@computeragent/source"] : [];
  const job = [...options, path, ...args, ...rest];
  return runJob(node.path, job, { cwd: atRoot ? ROOT : process.cwd(), env: toolEnvironment(ROOT, node) });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(
    `${error instanceof SetupError ? error.message : error instanceof Error ? error.stack : error}\n`,
  );
  if (process.argv.includes("test")) process.stdout.write("0 passed, 1 failed\n");
  process.exitCode = 1;
}
