import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonObject } from "@computeragent/protocol";
import { errorAnswer } from "./anthropic/errors.ts";
import { asText, parseObject } from "./anthropic/json.ts";
import { JsonMeter, type Meter, StreamMeter } from "./anthropic/meter.ts";
import { upstreamHeaders } from "./http/headers.ts";
import { readBody } from "./http/read-body.ts";
import { type Tap, writeAnswer } from "./http/write-answer.ts";
import type { Logger } from "./logger.ts";
import type { Account } from "./session/account.ts";
import { type Upstream, type UpstreamAnswer, UpstreamUnreachable } from "./upstream.ts";

/** Where the calls of a token go, and who counts them. */
export interface CallTarget {
  readonly upstream: Upstream;
  /** Absent: nothing is counted. */
  readonly account?: Account;
  /** Aborted when the token is taken back. */
  readonly signal: AbortSignal;
  /** The calls that are being answered. */
  readonly running: Set<Promise<void>>;
}

const MAX_BODY = 64 * 1024 * 1024;
const UNMETERED = new Set(["/v1/complete", "/v1/messages/batches"]);

function refuse(response: ServerResponse, status: number, message: string): void {
  const { headers, body } = errorAnswer(status, message);
  if (response.headersSent) response.destroy();
  else response.writeHead(status, headers).end(body);
}

interface Request {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly body: Buffer;
  /** The call of a model: it is counted. */
  readonly model: JsonObject | null;
  readonly agentId: string | undefined;
  readonly incoming: IncomingMessage;
}

/** The path without tricks (`..`, a second host), or `null` when it is not one of the API's. */
function targetOf(url: string): { target: string; path: string } | null {
  if (!url.startsWith("/") || !URL.canParse(`http://broker${url}`)) return null;
  const { pathname, search } = new URL(`http://broker${url}`);
  return pathname.startsWith("/v1/") ? { target: pathname + search, path: pathname } : null;
}

async function read(incoming: IncomingMessage): Promise<Request | { status: number; message: string }> {
  const { method = "GET", url = "/", headers } = incoming;
  const target = targetOf(url);
  if (!target) return { status: 404, message: "There is nothing here. The API begins at /v1/." };
  const body = await readBody(incoming, MAX_BODY);
  if (!body) return { status: 413, message: "The body is longer than 64 MiB." };
  const isCall = method === "POST" && target.path === "/v1/messages";
  const model = isCall ? (parseObject(body) ?? {}) : null;
  const agent = headers["x-claude-code-agent-id"];
  return { method, ...target, body, model, agentId: typeof agent === "string" ? agent : undefined, incoming };
}

function meterFor(answer: UpstreamAnswer): Meter {
  return `${answer.headers["content-type"] ?? ""}`.includes("text/event-stream") ? new StreamMeter() : new JsonMeter();
}

/** Counts an answer while it passes: once, and before its end is sent. */
function tapFor(answer: UpstreamAnswer, report: (meter: Meter) => void): Tap {
  const meter = meterFor(answer);
  let reported = false;
  const once = (): void => {
    if (!reported) report(meter);
    reported = true;
  };
  return {
    whole: meter instanceof JsonMeter,
    before(bytes) {
      meter.push(bytes);
      if (meter.final) once();
    },
    end: once,
  };
}

const BLIND: Tap = { whole: false, before: () => {}, end: () => {} };

async function forward(
  request: Request,
  target: CallTarget,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const headers = upstreamHeaders(request.incoming.headers);
  const answer = await target.upstream.send({ ...request, headers, signal });
  const { account } = target;
  const { model, agentId } = request;
  if (!account || !model || answer.status !== 200) return writeAnswer(response, answer, BLIND, signal);
  const tap = tapFor(answer, (meter) => {
    const metered = meter.read();
    if (metered) account.record(metered, asText(model.model), agentId);
  });
  try {
    await writeAnswer(response, answer, tap, signal);
  } finally {
    tap.end();
  }
}

async function call(
  request: Request,
  target: CallTarget,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const { account } = target;
  const used = account?.usedUp();
  if (used) return refuse(response, 403, used.detail);
  if (account?.limited && UNMETERED.has(request.path)) {
    return refuse(response, 403, "This endpoint cannot be metered, and the session has a limit.");
  }
  if (!account || !request.model) return forward(request, target, response, signal);
  const demand = await account.admit(request.model, request.body.byteLength, signal);
  if (!demand) return refuse(response, 403, account.usedUp()?.detail ?? "The session's limit is used up.");
  try {
    await forward(request, target, response, signal);
  } finally {
    account.settle(demand);
  }
}

/** Answers one request that showed a valid token. */
export function handle(incoming: IncomingMessage, response: ServerResponse, target: CallTarget, logger: Logger): void {
  const done = answer(incoming, response, target, logger).finally(() => target.running.delete(done));
  target.running.add(done);
}

/** Never rejects. */
async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  target: CallTarget,
  logger: Logger,
): Promise<void> {
  if (incoming.method === "HEAD" && incoming.url === "/") {
    response.writeHead(200).end();
    return;
  }
  const gone = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) gone.abort(new Error("The engine has gone."));
  });
  const signal = AbortSignal.any([gone.signal, target.signal]);
  try {
    const request = await read(incoming);
    if ("status" in request) refuse(response, request.status, request.message);
    else await call(request, target, response, signal);
  } catch (error) {
    if (!signal.aborted) logger.warn({ err: error }, "a model call failed");
    if (signal.aborted || response.headersSent) response.destroy();
    else if (error instanceof UpstreamUnreachable) refuse(response, 502, error.message);
    else refuse(response, 500, "The model broker failed.");
  }
}
