import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CreateSessionBody, EngineDriver, SessionCreated, SessionInfo } from "@computeragent/protocol";
import {
  createMockEngine,
  createMockLoader,
  followResponse,
  type OpenStream,
  openStream,
} from "@computeragent/testing";
import { onTestFinished } from "vitest";
import { type Answer, checkAnswer, checkFrames } from "./answers.test-support.ts";
import type { HarnessServerConfig } from "./config.ts";
import { createHarnessServer, type HarnessServer } from "./server.ts";

/** What a test may set of its host. */
export type RigConfig = Partial<HarnessServerConfig> & { engine?: EngineDriver; headers?: Record<string, string> };

/** A host with mock engine and loader, listening on loopback, and what tests do with it all the time. */
export interface Rig {
  readonly server: HarnessServer;
  readonly url: string;
  readonly dir: string;
  /** An allowed workspace folder that the host did not make. */
  readonly workspace: string;
  /** A JSON body unless it is text; every answer is checked against the protocol. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  create(body?: Partial<CreateSessionBody>): Promise<SessionCreated>;
  /** Its events are checked against the protocol when the test is over. */
  events(sessionId: string, after?: number, headers?: Record<string, string>): Promise<OpenStream>;
  chat(body: Partial<CreateSessionBody>): Promise<OpenStream>;
  say(sessionId: string, content: string): Promise<{ messageId: string; turnId?: string }>;
  info(sessionId: string): Promise<SessionInfo>;
  /** Names of what the host made for sessions and has not removed. */
  leftovers(): Promise<string[]>;
}

/** Boots a host for one test; everything is closed and removed when the test is over. */
export async function boot(config: RigConfig = {}): Promise<Rig> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "ca-host-")));
  const workspace = await mkdtemp(join(dir, "workspace-"));
  const { engine, headers: always = {}, ...rest } = config;
  const server = await createHarnessServer({
    engines: [engine ?? createMockEngine()],
    identityLoaders: [createMockLoader()],
    dataDir: join(dir, "data"),
    auth: null,
    allowWorkspaces: [dir],
    ...rest,
  });
  const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
  const streams: OpenStream[] = [];
  onTestFinished(async () => {
    for (const stream of streams) stream.close();
    await server.close();
    await rm(dir, { recursive: true, force: true });
    for (const stream of streams) checkFrames(stream.frames);
  });
  const watched = (stream: OpenStream): OpenStream => {
    streams.push(stream);
    return stream;
  };
  const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...always, ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });

  const request: Rig["request"] = async (method, path, body, headers) => {
    const response = await send(method, path, body, headers);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") ?? false;
    const answer = {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== "" ? JSON.parse(text) : text,
    };
    checkAnswer(method, path, answer);
    return answer;
  };
  const must = async (method: string, path: string, body?: unknown): Promise<Answer["body"]> => {
    const answer = await request(method, path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const withDefaults = (body: Partial<CreateSessionBody> = {}) => ({
    engine: "mock",
    ...(body.identity ? {} : { workspace: { type: "local", path: workspace } }),
    ...body,
  });
  return {
    server,
    url,
    dir,
    workspace,
    request,
    create: (body) => must("POST", "/v1/sessions", withDefaults(body)),
    events: async (id, after, headers = {}) => {
      const path = `/v1/sessions/${id}/events${after === undefined ? "" : `?after=${after}`}`;
      return watched(await openStream(url + path, { headers: { ...always, ...headers } }));
    },
    chat: async (body) => {
      const response = await send("POST", "/v1/chat", withDefaults(body));
      if (response.status !== 200) throw new Error(`chat: ${response.status} ${await response.text()}`);
      return watched(followResponse(response));
    },
    say: (id, content) => must("POST", `/v1/sessions/${id}/messages`, { message: { role: "user", content } }),
    info: (id) => must("GET", `/v1/sessions/${id}`),
    leftovers: async () => {
      const folders = ["work", "identities", "homes", "generated", "tmp"];
      const lists = folders.map((name) => readdir(join(dir, "data", name)).catch(() => []));
      return (await Promise.all(lists)).flat().filter((name) => name !== "owned.jsonl");
    },
  };
}
