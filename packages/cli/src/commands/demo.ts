import { createClient } from "@computeragent/sdk";
import { driveRun, type RunSurface } from "../client/drive-run.ts";
import { DEMO_MESSAGE, makeDemoWorkspace, requireExamples } from "../demo/files.ts";
import { conclusion, introduction, readReview, whatNext } from "../demo/texts.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { composeHost } from "../host/compose.ts";
import { ensureHome } from "../host/home.ts";
import { createLogger } from "../host/logger.ts";
import { listenOrExplain, stopSignal } from "../host/serve-host.ts";
import { ensureToken } from "../host/token-file.ts";
import { Printer } from "../ui/printer.ts";
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
  const home = await ensureHome(process.env);
  const token = await ensureToken(home);
  const workspace = await makeDemoWorkspace(home, examples.workspace);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);

  await using host = await composeHost({
    env: process.env,
    token,
    // The run is shown as it goes, with what goes wrong in it.
    logger: createLogger(process.env, "error"),
    version: version(),
    allowWorkspaces: [workspace],
    scenarioFiles: [examples.scenario],
  });
  const listener = await listenOrExplain(host.server, flags.host, flags.port);
  say(`ComputerAgent ${version()} is serving the Harness Protocol on ${listener.url}`);
  say(introduction(host.offline, workspace, DEMO_MESSAGE));

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
  if (!outcome) {
    say("\nStopping before the agent is done.");
    return EXIT.interrupted;
  }
  const review = await readReview(workspace);
  if (outcome.code === EXIT.success && review === undefined) {
    say("\nThe run ended, but there is no REVIEW.md.");
    if (flags.once) return EXIT.failed;
  }
  if (review !== undefined) say(`\n--- REVIEW.md ---\n${review.trimEnd()}\n-----------------`);
  say(conclusion(outcome.code, (Date.now() - startedAt) / 1000, host.offline));
  if (flags.once) return outcome.code;
  say(whatNext(listener.url, workspace, host.offline));
  await stop.received;
  say("\nStopping.");
  return EXIT.success;
}

/** Shows the run, and grants what this demo is for: looking around, and writing the review. */
function surfaceOf(): RunSurface {
  const printer = new Printer({ out: process.stdout, err: process.stdout });
  return {
    show: (item) => printer.show(item),
    note: (text) => printer.note(text),
    async decide(request) {
      printer.note(`permission asked (${request.risk}): ${printer.describe(request.toolName, request.input)}`);
      const path = request.input.file_path;
      const review = request.toolName === "Write" && typeof path === "string" && path.endsWith("/REVIEW.md");
      const looking = request.toolName === "Bash" && request.risk === "medium";
      if (review) return { decision: "allow", reason: "this demo allows writing REVIEW.md" };
      if (looking) return { decision: "allow", reason: "this demo allows harmless commands" };
      return { decision: "deny", reason: "this demo allows harmless commands and writing REVIEW.md, no more" };
    },
  };
}
