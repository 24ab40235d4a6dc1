import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ServerProcess, startServer } from "./processes.ts";

const CLI = fileURLToPath(new URL("../../packages/cli/dist/bin/computeragent.js", import.meta.url));

/** The real host, as `computeragent serve --mock` starts it, with a home of its own. */
export interface BenchHost extends ServerProcess {
  post(path: string, body: unknown): Promise<{ [key: string]: string }>;
  session(): Promise<string>;
}

export async function startHost(): Promise<BenchHost> {
  const home = await mkdtemp(join(tmpdir(), "ca-bench-"));
  const args = [CLI, "serve", "--mock", "--no-auth", "--port", "0", "--allow-workspace", home];
  const server = await startServer(args, "/v1/health", { COMPUTERAGENT_HOME: home });
  const post: BenchHost["post"] = async (path, body) => {
    const response = await fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { [key: string]: string };
  };
  return {
    ...server,
    post,
    async session() {
      const body = { engine: "mock", workspace: { type: "local", path: home }, options: { includePartials: true } };
      return (await post("/v1/sessions", body)).sessionId ?? "";
    },
    async stop() {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
