import { Command, InvalidArgumentError, Option } from "commander";
import { DEFAULT_HOST } from "./client/default-host.ts";
import type { ExitCode } from "./exit-codes.ts";
import { version } from "./version.ts";

/** What a command resolves with is the exit code of the process. */
export type Settle = (code: ExitCode) => void;

const positive = (text: string): number => {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError("give a number above 0");
  return value;
};
const whole = (text: string): number => {
  const value = positive(text);
  if (!Number.isInteger(value)) throw new InvalidArgumentError("give a whole number above 0");
  return value;
};
const port = (text: string): number => {
  const value = Number(text);
  if (!/^\d{1,5}$/.test(text) || value > 65_535) throw new InvalidArgumentError("give a port from 0 to 65535");
  return value;
};
const url = (text: string): string => {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ""))
    throw new InvalidArgumentError("give a URL such as http://127.0.0.1:7700");
  return text;
};
const pricePair = (text: string): { input: number; output: number } => {
  const [input = Number.NaN, output = Number.NaN] = text.split("/").map(Number);
  if (!(input >= 0 && output >= 0)) throw new InvalidArgumentError("give two prices such as 3/15");
  return { input, output };
};
const each = (text: string, before: readonly string[]): readonly string[] => [...before, text];
/** An option that may be given more than once. */
const repeatable = (flags: string, description: string, without = "none"): Option =>
  new Option(flags, `${description} (repeatable)`).argParser(each).default([], without);

const RUN_HELP = `
Permission modes:
  ask (default)     reads in the workspace run, everything else is asked
  ask_all           everything is asked
  deny_destructive  everything runs, but what destroys is denied
  auto              everything runs
  deny              reads in the workspace run, everything else is denied
In all of them nothing is written outside the workspace unasked. An agent's own
manifest can be stricter. What would be asked is denied where there is no
terminal to ask on.

A git URL is https://..., git@host:path or host/org/repo. It may end in #ref or
#ref:subfolder, and so may the folder of a repository on this machine.

Exit codes: 0 success, 1 the agent failed, 2 usage, 3 refused or over a limit,
130 interrupted.`;

const VALIDATE_HELP = `
Every problem is told, with its file, line and rule; docs/gap-rules.md explains
the rules. Without --strict, unknown keys and spellings of other dialects are
warnings. Warnings do not make an agent invalid.

Exit codes: 0 valid, 1 invalid, 2 usage, 3 the source cannot be reached,
130 interrupted.`;

/** The whole command tree. Commands are loaded when they run, so that help is fast. */
export function buildProgram(name: string, settle: Settle): Command {
  const program = new Command(name)
    .description("Run any agent identity under any agent engine, over the Harness Protocol.")
    .version(version())
    .showHelpAfterError("(add --help for the usage)")
    .exitOverride();

  program
    .command("run")
    .description("run an agent once: a folder, a git URL, or inline:TEXT")
    .argument("<source>", "where the agent is")
    .requiredOption("-m, --message <text>", "what to ask the agent")
    .addOption(new Option("--engine <name>", "the agent engine (also --harness)").default("claude-agent-sdk"))
    .addOption(new Option("--harness <name>", "same as --engine").hideHelp())
    .option("--workspace <dir>", "work in this folder, in place (default: a copy of the identity)")
    .option("--host <url>", "use a running host (default: a private one in this process)", url)
    .option("--token <token>", "the host's token (default: COMPUTERAGENT_TOKEN, or this machine's)")
    .option("--model <name>", "the model, in the route's own spelling")
    .option("--route <id>", "the model route (see: health)")
    .option("--max-turns <n>", "model steps at the most", whole)
    .option("--max-budget-usd <usd>", "cost at the most", positive)
    .addOption(
      new Option("--permission <mode>", "when to ask, see below").choices([
        "ask_all",
        "ask",
        "auto",
        "deny_destructive",
        "deny",
      ]),
    )
    .option("--json", "print every event as a line of JSON")
    .addHelpText("after", RUN_HELP)
    .action(async (source: string, flags) => {
      const { runCommand } = await import("./commands/run.ts");
      settle(await runCommand(source, { ...flags, engine: flags.harness ?? flags.engine }));
    });

  program
    .command("validate")
    .description("check an agent's files and list every problem")
    .argument("<source>", "a folder, a git URL, or inline:TEXT")
    .option("--strict", "judge by the published schemas alone, and check more")
    .option("--json", "print the result as JSON")
    .option("--ref <name>", "branch, tag or commit of a git source")
    .option("--subdir <path>", "folder inside the source")
    .addHelpText("after", VALIDATE_HELP)
    .action(async (source: string, flags) => {
      const { validateCommand } = await import("./commands/validate.ts");
      settle(await validateCommand(source, flags));
    });

  program
    .command("serve")
    .description("serve the Harness Protocol")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <n>", "port to listen on, 0 = any", port, 7700)
    .option("--no-auth", "require no token (loopback only)")
    .addOption(repeatable("--allow-workspace <dir>", "let sessions work in folders under this one"))
    .addOption(repeatable("--allow-host <name:port>", "answer to this Host header only", "its own names"))
    .addOption(repeatable("--scenario <file>", "YAML scenarios for the offline model"))
    .addOption(repeatable("--limit <name=value>", "set a limit, by its name and unit in health", "the defaults"))
    .addOption(
      new Option(
        "--containment <tier>",
        "how the engines' processes are kept together (default: the strongest that works)",
      ).choices(["pid-namespace", "cgroup", "watchdog"]),
    )
    .addOption(
      new Option("--simulate-price <in/out>", "let the offline model cost this many USD per million tokens, for tests")
        .argParser(pricePair)
        .hideHelp(),
    )
    .option("--mock", "also register the mock engine and loader, for tests and load")
    .action(async (flags) => {
      const { serveCommand } = await import("./commands/serve.ts");
      settle(await serveCommand(flags));
    });

  program
    .command("health")
    .description("ask a host what it is and can do")
    .option("--host <url>", "the host", url, DEFAULT_HOST)
    .option("--token <token>", "the host's token")
    .option("--json", "print the answer as JSON")
    .action(async (flags) => {
      const { healthCommand } = await import("./commands/health.ts");
      settle(await healthCommand(flags));
    });

  program
    .command("token")
    .description("print this machine's host token")
    .action(async () => {
      const { tokenCommand } = await import("./commands/token.ts");
      settle(await tokenCommand());
    });

  const model = program.command("model").description("the offline model (model serve)");
  model
    .command("serve")
    .description("serve the offline model alone")
    .option("--port <n>", "port to listen on, 0 = any", port, 7701)
    .addOption(repeatable("--scenario <file>", "YAML scenarios"))
    .action(async (flags) => {
      const { modelServeCommand } = await import("./commands/model-serve.ts");
      settle(await modelServeCommand(flags));
    });

  program
    .command("demo")
    .description("boot a host and let the sample agent do real work")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <n>", "port to listen on, 0 = any", port, 7700)
    .option("--once", "end after the run, with its exit code")
    .action(async (flags) => {
      const { demoCommand } = await import("./commands/demo.ts");
      settle(await demoCommand(flags));
    });

  return program;
}
