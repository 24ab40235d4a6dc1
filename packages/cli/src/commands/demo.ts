import { createClient } from "@computeragent/sdk";
import { driveRun, type RunSurface } from "../client/drive-run.ts";
import { DEMO_MESSAGE, makeDemoWorkspace, requireExamples } from "../demo/files.ts";
import { readReview, whatNext } from "../demo/texts.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { composeHost } from "../host/compose.ts";
import { ensureHome } from "../host/home.ts";
import { createLogger } from "../host/logger.ts";
import { listenOrExplain, stopSignal } from "../host/serve-host.ts";
import { ensureToken } from "../host/token-file.ts";
import { Printer } from "../ui/printer.ts";
import { describeCall } from "../ui/summary.ts";
import { version } from "../version.ts";

/** Flags of `computeragent demo`. */
export interface DemoFlags {
  readonly host: string;
  readonly port: number;
  readonly once?: boolean;
}

/** Boots a host, lets the sample agent review a copy of the sample workspace through the protocol, and goes on serving. */
export async function demoCommand(flags: DemoFlags): Promise<ExitCode> {
  using stop = stopSignal();
  const examples = requireExamples();
  const { bearerToken } = await import("@computeragent/harness-server");
  const home = await ensureHome(process.env);
  const token = await ensureToken(home);
  const workspace = await makeDemoWorkspace(home, examples.workspace);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);

  await using host = await composeHost({
    env: process.env,
    auth: bearerToken(token),
    logger: await createLogger(process.env, "warn"),
    version: version(),
    allowWorkspaces: [workspace],
    scenarioFiles: [examples.scenario],
  });
  const listener = await listenOrExplain(host.server, flags.host, flags.port);
  say(`ComputerAgent ${version()} is serving the Harness Protocol on ${listener.url}`);
  say(
    host.offline
      ? "Model: OFFLINE. No ANTHROPIC_API_KEY is set, so a scripted scenario stands in for the language model;\n       the agent engine, its tools, the files and the protocol are real."
      : "Model: Anthropic, with your ANTHROPIC_API_KEY.",
  );
  say(`Agent: examples/agents/consistency-reviewer, working in ${workspace}\n`);

  const client = createClient({ baseUrl: listener.url, token });
  const startedAt = Date.now();
  const outcome = await Promise.race([
    driveRun(
      client,
      {
        engine: "claude-agent-sdk",
        identity: { loader: "gitagentprotocol", source: { type: "local", path: examples.agent } },
        workspace: { type: "local", path: workspace },
        options: { includePartials: true },
        messages: [{ role: "user", content: DEMO_MESSAGE }],
      },
      surfaceOf(),
    ),
    stop.received.then(() => undefined),
  ]);
  if (!outcome) return EXIT.interrupted;
  const review = await readReview(workspace);
  if (outcome.code === EXIT.success && review === undefined) {
    say("\nThe run ended, but there is no REVIEW.md.");
    if (flags.once) return EXIT.failed;
  }
  if (review !== undefined) say(`\n--- REVIEW.md ---\n${review.trimEnd()}\n-----------------`);
  say(
    `\nThe agent ${outcome.code === EXIT.success ? "is done" : `ended with ${outcome.ended?.reason ?? "no end"}`} after ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`,
  );
  if (flags.once) return outcome.code;
  say(whatNext(listener.url, workspace));
  await stop.received;
  return EXIT.success;
}

/** Shows the run, and grants what this demo is for: looking around, and writing the review. */
function surfaceOf(): RunSurface {
  const printer = new Printer({ out: process.stdout, err: process.stdout });
  return {
    show: (item) => printer.show(item),
    note: (text) => printer.note(text),
    async decide(request) {
      printer.note(`permission asked (${request.risk}): ${describeCall(request.toolName, request.input)}`);
      const path = request.input.file_path;
      const review = request.toolName === "Write" && typeof path === "string" && path.endsWith("/REVIEW.md");
      const looking = request.toolName === "Bash" && request.risk === "medium";
      return review || looking
        ? { decision: "allow", reason: "this demo allows harmless commands and writing REVIEW.md" }
        : { decision: "deny", reason: "this demo allows nothing but harmless commands and writing REVIEW.md" };
    },
  };
}
