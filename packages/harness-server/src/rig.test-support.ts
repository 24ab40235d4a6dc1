import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CreateSessionBody, EngineDriver, SessionCreated } from "@computeragent/protocol";
import { createMockEngine, createMockLoader, type OpenStream, openStream } from "@computeragent/testing";
import { onTestFinished } from "vitest";
import type { HarnessServerConfig } from "./config.ts";
import { createHarnessServer, type HarnessServer } from "./server.ts";

/** A host with mock engine and loader, listening on loopback, and what tests do with it all the time. */
export interface Rig {
  readonly server: HarnessServer;
  readonly url: string;
  readonly dir: string;
  /** An allowed workspace folder that the host did not make. */
  readonly workspace: string;
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  create(body?: Partial<CreateSessionBody>): Promise<SessionCreated>;
  events(sessionId: string, after?: number): Promise<OpenStream>;
  say(sessionId: string, content: string): Promise<{ messageId: string; turnId?: string }>;
}

/** An answer with its JSON body, if it has one. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by tests only
  readonly body: any;
}

/** Boots a host for one test; everything is closed and removed when the test is over. */
export async function boot(config: Partial<HarnessServerConfig> & { engine?: EngineDriver } = {}): Promise<Rig> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "ca-host-")));
  const workspace = await mkdtemp(join(dir, "workspace-"));
  const { engine, ...rest } = config;
  const server = await createHarnessServer({
    engines: [engine ?? createMockEngine()],
    identityLoaders: [createMockLoader()],
    dataDir: join(dir, "data"),
    auth: null,
    allowWorkspaces: [dir],
    ...rest,
  });
  const listener = await server.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await server.close();
    await rm(dir, { recursive: true, force: true });
  });
  const { url } = listener;

  const request: Rig["request"] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") ?? false;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  const must = async (path: string, body: unknown): Promise<Answer["body"]> => {
    const answer = await request("POST", path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    server,
    url,
    dir,
    workspace,
    request,
    create: (body) => must("/v1/sessions", { engine: "mock", workspace: { type: "local", path: workspace }, ...body }),
    events: (id, after) => openStream(`${url}/v1/sessions/${id}/events${after === undefined ? "" : `?after=${after}`}`),
    say: (id, content) => must(`/v1/sessions/${id}/messages`, { message: { role: "user", content } }),
  };
}
