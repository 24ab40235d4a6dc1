import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { CreateSessionBody, MessageAccepted } from "@computeragent/protocol";
import { createClient, type HarnessClient } from "@computeragent/sdk";
import { findOwned } from "@computeragent/supervisor";
import { type OpenStream, openStream } from "@computeragent/testing";

/** The built command line. */
export const CLI = fileURLToPath(new URL("../../packages/cli/dist/bin/computeragent.js", import.meta.url));
/** The repository. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The real `computeragent serve` in a process of its own, with a home and a workspace of its own. */
export interface HostProcess extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly home: string;
  readonly workspace: string;
  readonly child: ChildProcess;
  readonly client: HarnessClient;
  /** A session of the real engine in the workspace. */
  create(body?: Partial<CreateSessionBody>): Promise<string>;
  events(sessionId: string, after?: number): Promise<OpenStream>;
  say(sessionId: string, content: string, delivery?: "queue" | "steer"): Promise<MessageAccepted>;
  /** Processes of this host whose command line holds a text. */
  running(text: string): Promise<number>;
  /** Sends a signal and waits for the exit. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** The environment of a process under test: nothing of the host's but what a shell needs. */
export function cleanEnv(home: string, extra: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: home,
    COMPUTERAGENT_HOME: home,
    LANG: "C.UTF-8",
    CLAUDE_CODE_MAX_RETRIES: "2",
    ...extra,
  };
}

/** A folder for a home: not under the system's temporary folder, as for real users. */
export async function makeHome(): Promise<string> {
  return await mkdtemp(join(homedir(), ".ca-test-"));
}

/** Starts a host and waits until it listens. */
export async function startHost(flags: readonly string[] = [], env: Record<string, string> = {}): Promise<HostProcess> {
  const home = env.COMPUTERAGENT_HOME ?? (await makeHome());
  const workspace = await mkdtemp(join(home, "workspace-"));
  const args = [CLI, "serve", "--port", "0", "--allow-workspace", home, ...flags];
  const child = spawn(process.execPath, args, { env: cleanEnv(home, env), stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /^listening on (\S+)$/.exec(line)?.[1];
      if (found) resolve(found);
    });
    void exited.then((code) => reject(new Error(`the host ended with ${code}: ${errors}`)));
  });
  const token = (await readFile(join(home, "host-token"), "utf8")).trim();
  const client = createClient({ baseUrl: url, token });
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return await exited;
  };
  return {
    url,
    token,
    home,
    workspace,
    child,
    client,
    async create(body = {}) {
      const whole: CreateSessionBody = {
        engine: "claude-agent-sdk",
        workspace: { type: "local", path: workspace },
        ...body,
      };
      return (await client.call("createSession", { body: whole })).sessionId;
    },
    events: (id, after) =>
      openStream(`${url}/v1/sessions/${id}/events${after === undefined ? "" : `?after=${after}`}`, {
        headers: { authorization: `Bearer ${token}` },
      }),
    say: (sessionId, content, delivery) =>
      client.call("sendMessage", {
        sessionId,
        body: { message: { role: "user", content }, ...(delivery ? { delivery } : {}) },
      }),
    async running(text) {
      const hostId = String((await client.call("health")).hostId);
      return (await findOwned({ hostId })).filter((process) => process.command.includes(text)).length;
    },
    end,
    async [Symbol.asyncDispose]() {
      await end("SIGTERM");
      await rm(home, { recursive: true, force: true });
    },
  };
}
