import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ServerProcess, startServer } from "./processes.ts";

/** As a user starts it. */
const CLI = fileURLToPath(new URL("../../bin/computeragent", import.meta.url));

/** The real `computeragent serve` with folders of its own, and a JSON call to it. */
export interface ServeProcess extends ServerProcess {
  /** Everything that the host makes is in here. */
  readonly home: string;
  /** A folder for sessions with a workspace of their own. */
  readonly workspace: string;
  call(method: string, path: string, body?: unknown): Promise<{ readonly [key: string]: unknown }>;
}

/** Starts a host with these limits beside the defaults. `mock`: with the mock engine, as all but the start need it. */
export async function serve(limits: Readonly<Record<string, number>> = {}, mock = true): Promise<ServeProcess> {
  const home = await mkdtemp(join(tmpdir(), "ca-bench-"));
  const workspace = join(home, "workspace");
  await mkdir(workspace);
  await mkdir(join(home, "run"));
  const flags = Object.entries(limits).flatMap(([name, value]) => ["--limit", `${name}=${value}`]);
  const server = await startServer(
    [CLI, "serve", ...(mock ? ["--mock"] : []), "--no-auth", "--port", "0", "--allow-workspace", home, ...flags],
    "/v1/health",
    { COMPUTERAGENT_HOME: home, XDG_RUNTIME_DIR: join(home, "run") },
  );
  return {
    ...server,
    home,
    workspace,
    async call(method, path, body) {
      const init = body === undefined ? {} : { body: JSON.stringify(body) };
      const headers = body === undefined ? {} : { "content-type": "application/json" };
      const response = await fetch(`${server.url}${path}`, { method, headers, ...init });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as { readonly [key: string]: unknown };
    },
    async stop() {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
