import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { CreateSessionBody, PermissionMode } from "@computeragent/protocol";
import { createClient, type HarnessClient } from "@computeragent/sdk";
import { connect } from "../client/connect.ts";
import { driveRun, type RunSurface } from "../client/drive-run.ts";
import { Interrupts } from "../client/interrupts.ts";
import { sourceOf } from "../client/source.ts";
import { CliError, EXIT, type ExitCode } from "../exit-codes.ts";
import { composeHost } from "../host/compose.ts";
import { createLogger } from "../host/logger.ts";
import { askPermission } from "../ui/permission-prompt.ts";
import { Printer } from "../ui/printer.ts";
import { oneLine } from "../ui/summary.ts";
import { version } from "../version.ts";

/** Flags of `computeragent run`. */
export interface RunFlags {
  readonly message: string;
  readonly engine: string;
  readonly workspace?: string;
  readonly host?: string;
  readonly token?: string;
  readonly model?: string;
  readonly route?: string;
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
  readonly permission?: PermissionMode;
  readonly json?: boolean;
}

/** Runs an agent once and shows what it does. */
export async function runCommand(source: string, flags: RunFlags): Promise<ExitCode> {
  const body = bodyOf(source, flags);
  using interrupts = new Interrupts();
  try {
    return await run(body, flags, interrupts);
  } catch (error) {
    if (interrupts.givenUp.aborted) return EXIT.interrupted;
    throw error;
  }
}

async function run(body: CreateSessionBody, flags: RunFlags, interrupts: Interrupts): Promise<ExitCode> {
  if (flags.host !== undefined) {
    return await finish(await connect(process.env, flags.host, flags.token), body, { flags, interrupts });
  }
  await using host = await composeHost({
    env: process.env,
    token: null,
    logger: createLogger(process.env, "error"),
    version: version(),
    allowedHosts: "any",
    mock: flags.engine === "mock",
    ...(body.workspace?.type === "local" ? { allowWorkspaces: [body.workspace.path] } : {}),
  });
  const client = createClient({
    baseUrl: "http://private.host",
    fetch: (url, init) => host.server.fetch(new Request(url, init)),
  });
  const begin = host.offline && flags.engine !== "mock" ? OFFLINE_NOTE : undefined;
  return await finish(client, body, { flags, interrupts, begin });
}

const OFFLINE_NOTE = `offline: ANTHROPIC_API_KEY is not set, so the built-in offline model answers.
It follows a script (the lines that begin with !) and is no language model.`;

async function finish(
  client: HarnessClient,
  body: CreateSessionBody,
  { flags, interrupts, begin }: { flags: RunFlags; interrupts: Interrupts; begin?: string | undefined },
): Promise<ExitCode> {
  interrupts.givenUp.throwIfAborted();
  const surface = surfaceOf(flags.json ?? false, begin);
  const { code, ended } = await driveRun(client, body, surface, interrupts);
  surface.end();
  if (!flags.json && ended && ended.reason !== "complete") {
    surface.note(`ended: ${ended.reason}${ended.error?.message ? ` (${oneLine(ended.error.message)})` : ""}`);
  }
  return code;
}

function bodyOf(source: string, flags: RunFlags): CreateSessionBody {
  const limits = {
    ...(flags.maxTurns === undefined ? {} : { maxTurns: flags.maxTurns }),
    ...(flags.maxBudgetUsd === undefined ? {} : { maxBudgetUsd: flags.maxBudgetUsd }),
  };
  return {
    engine: flags.engine,
    identity: { loader: "gitagentprotocol", source: sourceOf(source, process.cwd()) },
    messages: [{ role: "user", content: flags.message }],
    ...(flags.workspace === undefined ? {} : { workspace: { type: "local", path: folder(flags.workspace) } }),
    ...(flags.permission === undefined ? {} : { permissionMode: flags.permission }),
    ...(flags.route === undefined ? {} : { route: flags.route }),
    options: { includePartials: true, ...(flags.model === undefined ? {} : { model: flags.model }) },
    limits,
  };
}

function folder(path: string): string {
  const full = resolve(path);
  if (!existsSync(full) || !statSync(full).isDirectory()) throw new CliError(`there is no folder ${path}`, EXIT.usage);
  return full;
}

/** `begin` is noted once the session is there, so that what is wrong with the command line stands alone. */
function surfaceOf(json: boolean, begin?: string): RunSurface & { end(): void } {
  const printer = new Printer({ out: process.stdout, err: process.stderr });
  const human = process.stdin.isTTY && process.stderr.isTTY;
  return {
    show(item) {
      if (begin !== undefined && item.type === "ca_session_started") printer.note(begin);
      if (json) process.stdout.write(`${JSON.stringify(item)}\n`);
      else printer.show(item);
    },
    note: (text) => printer.note(text),
    end: () => printer.finish(),
    async decide(request, signal) {
      printer.finish();
      if (human) return await askPermission(request, { input: process.stdin, output: process.stderr }, signal);
      return { decision: "deny", reason: "no terminal to ask on (use --permission)", unasked: true };
    },
  };
}
