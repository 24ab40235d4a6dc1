import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startServer } from "../../bench/src/processes.ts";

const CLI = fileURLToPath(new URL("../../bin/computeragent", import.meta.url));

/** A real `computeragent serve --mock` with a token and folders of its own. */
export interface HostProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly token: string;
  /** COMPUTERAGENT_HOME. */
  readonly home: string;
  /** The only folder in which a workspace may lie. */
  readonly allowed: string;
  stop(): Promise<void>;
}

/** Starts a host; it and its folders are gone after `stop`. */
export async function startHost(limits: Readonly<Record<string, number>>): Promise<HostProcess> {
  const root = await mkdtemp(join(tmpdir(), "ca-hostile-"));
  const [home, allowed, run] = ["home", "allowed", "run"].map((name) => join(root, name)) as [string, string, string];
  for (const folder of [home, allowed, run]) await mkdir(folder, { mode: 0o700 });
  const flags = Object.entries(limits).flatMap(([name, value]) => ["--limit", `${name}=${value}`]);
  const server = await startServer(
    [CLI, "serve", "--mock", "--port", "0", "--allow-workspace", allowed, ...flags],
    "/v1/health",
    { COMPUTERAGENT_HOME: home, XDG_RUNTIME_DIR: run },
  );
  return {
    url: server.url,
    port: Number(new URL(server.url).port),
    pid: server.pid,
    token: (await readFile(join(home, "host-token"), "utf8")).trim(),
    home,
    allowed,
    async stop() {
      await server.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
