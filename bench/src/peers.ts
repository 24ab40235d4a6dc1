import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postJson } from "./http.ts";
import { type Latency, measure } from "./latency.ts";
import { rssMiB, untilAnswered } from "./processes.ts";
import { median, round } from "./statistics.ts";

/** The peer that is measured, at the version that was looked at. */
const PEER = "sandbox-agent@0.4.2";

/** A peer that was installed into a folder of its own. */
export interface Peer {
  /** From a message to its first event, with the peer's own mock agent, which only echoes. */
  latency(): Promise<Latency>;
  /** Milliseconds until it answers, and MiB when it is idle; medians of `rounds`. */
  startAndSize(rounds: number): Promise<object>;
  remove(): Promise<void>;
}

/** Installs the peer from the package registry. */
export async function installPeer(): Promise<Peer> {
  const dir = await mkdtemp(join(tmpdir(), "ca-peer-"));
  const [name, version] = PEER.split("@");
  await command("npm", ["install", "--prefix", dir, "--no-audit", "--no-fund", PEER, `@${name}/cli@${version}`]);
  const program = join(
    dir,
    "node_modules",
    "@sandbox-agent",
    `cli-${process.platform}-${process.arch}`,
    "bin",
    "sandbox-agent",
  );
  await chmod(program, 0o755);
  return {
    latency: () => withPeer(program, dir, ({ url }) => echoes(url)),
    async startAndSize(rounds) {
      const times: number[] = [];
      const sizes: number[] = [];
      for (let i = 0; i < rounds; i++) {
        await withPeer(program, dir, async ({ pid, healthyMs }) => {
          times.push(healthyMs);
          await new Promise((resolve) => setTimeout(resolve, 500));
          sizes.push(await rssMiB(pid));
        });
      }
      return { peer: PEER, healthyMs: round(median(times)), rssMiB: round(median(sizes), 1) };
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}

async function withPeer<T>(
  program: string,
  dir: string,
  use: (peer: { url: string; pid: number; healthyMs: number }) => Promise<T>,
): Promise<T> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const startedAt = performance.now();
  const child = spawn(program, ["server", "-n", "--no-telemetry", "-H", "127.0.0.1", "-p", String(port)], {
    stdio: "ignore",
    env: { PATH: process.env.PATH, HOME: dir, XDG_DATA_HOME: join(dir, "data") },
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    await untilAnswered(`${url}/v1/health`);
    return await use({ url, pid: child.pid ?? 0, healthyMs: performance.now() - startedAt });
  } finally {
    child.kill("SIGKILL");
  }
}

async function echoes(url: string): Promise<Latency> {
  await postJson(`${url}/v1/agents/mock/install`, {});
  let id = 0;
  const call = (method: string, params: object, query = "") =>
    postJson(`${url}/v1/acp/bench${query}`, { jsonrpc: "2.0", id: ++id, method, params });
  await call("initialize", { protocolVersion: 1, clientCapabilities: {} }, "?agent=mock");
  await call("session/new", { cwd: tmpdir(), mcpServers: [] });
  const stream = await fetch(`${url}/v1/acp/bench`, { headers: { accept: "text/event-stream" } });
  const prompt = [{ type: "text", text: "hi" }];
  const send = () => call("session/prompt", { sessionId: "bench", prompt });
  // The stream begins with the two calls above: a message is known by its id.
  return measure(
    stream,
    send,
    (nth) => `"mock/echo","params":{"message":{"id":${nth + 3},`,
    (nth) => `{"id":${nth + 3},"jsonrpc":"2.0","result"`,
  );
}

async function command(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "inherit"] });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}`);
}
