import { resolve } from "node:path";
import { DEFAULT_LIMITS, isLoopback } from "@computeragent/harness-server/settings";
import type { ContainmentTier } from "@computeragent/supervisor";
import { CliError, EXIT, type ExitCode } from "../exit-codes.ts";
import { composeHost } from "../host/compose.ts";
import { ensureHome } from "../host/home.ts";
import { limitsFrom } from "../host/limit-flags.ts";
import { createLogger } from "../host/logger.ts";
import { listenOrExplain, stopSignal } from "../host/serve-host.ts";
import { ensureToken, tokenPath } from "../host/token-file.ts";
import { version } from "../version.ts";

/** Flags of `computeragent serve`. */
export interface ServeFlags {
  readonly host: string;
  readonly port: number;
  readonly auth: boolean;
  readonly allowWorkspace: readonly string[];
  readonly allowHost: readonly string[];
  readonly scenario: readonly string[];
  readonly limit: readonly string[];
  readonly mock?: boolean;
  readonly containment?: ContainmentTier;
  readonly simulatePrice?: { readonly input: number; readonly output: number };
}

/** Serves the Harness Protocol until it is told to stop. */
export async function serveCommand(flags: ServeFlags): Promise<ExitCode> {
  if (!flags.auth && !isLoopback(flags.host)) {
    throw new CliError(`--no-auth works on loopback only; ${flags.host} can be reached from outside`, EXIT.usage);
  }
  const limits = limitsFrom(flags.limit, DEFAULT_LIMITS);
  using stop = stopSignal();
  const home = await ensureHome(process.env);
  const token = flags.auth ? await ensureToken(home) : null;
  await using host = await composeHost({
    env: process.env,
    token,
    logger: createLogger(process.env, "warn"),
    version: version(),
    mock: flags.mock ?? false,
    warmPool: true,
    limits,
    ...(flags.simulatePrice ? { simulatePrice: flags.simulatePrice } : {}),
    ...(flags.containment ? { containment: flags.containment } : {}),
    allowWorkspaces: flags.allowWorkspace.map((path) => resolve(path)),
    scenarioFiles: flags.scenario.map((path) => resolve(path)),
    ...(flags.allowHost.length > 0 ? { allowedHosts: flags.allowHost.map((name) => name.toLowerCase()) } : {}),
  });
  const listener = await listenOrExplain(host.server, flags.host, flags.port);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  say(`listening on ${listener.url}`);
  say(
    flags.auth
      ? `token: ${tokenPath(home)} (computeragent token prints it)`
      : "no authentication: every program on this machine can drive agents as you",
  );
  say(
    host.offline
      ? "model: offline, follows a script and is no language model (for a real one set ANTHROPIC_API_KEY)"
      : "model: Anthropic, with your ANTHROPIC_API_KEY",
  );
  say(`containment: ${host.tier}`);
  const code = await stop.received;
  say("stopping");
  return code;
}
