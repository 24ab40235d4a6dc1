import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSession } from "./http.ts";
import { type ServerProcess, startServer } from "./processes.ts";

const CLI = fileURLToPath(new URL("../../packages/cli/dist/bin/computeragent.js", import.meta.url));

/** The real host, as `computeragent serve --mock` starts it, with a home of its own. */
export interface BenchHost extends ServerProcess {
  /** Folder where sessions may work; it is also the host's home. */
  readonly home: string;
  /** Creates a session of the mock engine with partials. */
  session(): Promise<string>;
}

/** Starts a host; `more` are further flags of `serve`. */
export async function startHost(more: readonly string[] = []): Promise<BenchHost> {
  const home = await mkdtemp(join(tmpdir(), "ca-bench-"));
  const args = [CLI, "serve", "--mock", "--no-auth", "--port", "0", "--allow-workspace", home, ...more];
  const server = await startServer(args, "/v1/health", { COMPUTERAGENT_HOME: home });
  return {
    ...server,
    home,
    session: () =>
      createSession(server.url, {
        engine: "mock",
        workspace: { type: "local", path: home },
        options: { includePartials: true },
      }),
    async stop() {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
