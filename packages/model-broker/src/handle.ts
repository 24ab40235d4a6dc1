import type { IncomingMessage, ServerResponse } from "node:http";
import { errorAnswer } from "./anthropic/errors.ts";
import { factsOf } from "./anthropic/facts.ts";
import { asText } from "./anthropic/json.ts";
import { meteringTap } from "./anthropic/tap.ts";
import { upstreamHeaders } from "./http/headers.ts";
import { type ApiRequest, readRequest } from "./http/read-request.ts";
import { UNWATCHED, writeAnswer } from "./http/write-answer.ts";
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

/** What one call has at hand while it is answered. */
interface Exchange {
  readonly request: ApiRequest;
  readonly target: CallTarget;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
}

const UNMETERED = new Set(["/v1/complete", "/v1/messages/batches"]);

function refuse(response: ServerResponse, status: number, message: string): void {
  const { headers, body } = errorAnswer(status, message);
  response.writeHead(status, headers).end(body);
}

function send({ request, target, signal }: Exchange): Promise<UpstreamAnswer> {
  const { method, target: path, headers, body } = request;
  return target.upstream.send({ method, target: path, headers: upstreamHeaders(headers), body, signal });
}

async function modelCall(exchange: Exchange, account: Account): Promise<void> {
  const { request, response, signal } = exchange;
  const facts = factsOf(request.body, account.limited);
  const demand = await account.admit(facts, request.body.byteLength, signal);
  if (!demand) return refuse(response, 403, account.usedUp()?.detail ?? "The session's limit is used up.");
  try {
    const answer = await send(exchange);
    const agent = request.headers["x-claude-code-agent-id"];
    const tap =
      answer.status === 200
        ? meteringTap(answer, (metered) =>
            account.record(metered, asText(facts.model), typeof agent === "string" ? agent : undefined),
          )
        : UNWATCHED;
    await writeAnswer(response, answer, tap, signal).finally(tap.end);
  } finally {
    account.settle(demand);
  }
}

async function call(exchange: Exchange): Promise<void> {
  const { request, target, response, signal } = exchange;
  const { account } = target;
  const used = account?.usedUp();
  if (used) return refuse(response, 403, used.detail);
  if (account?.limited && UNMETERED.has(request.path)) {
    return refuse(response, 403, "This endpoint cannot be metered, and the session has a limit.");
  }
  const isModelCall = request.method === "POST" && request.path === "/v1/messages";
  if (account && isModelCall) return modelCall(exchange, account);
  return writeAnswer(response, await send(exchange), UNWATCHED, signal);
}

/** Answers one request that showed a valid token. */
export function handle(incoming: IncomingMessage, response: ServerResponse, target: CallTarget, logger: Logger): void {
  if (incoming.method === "HEAD" && incoming.url === "/") {
    response.writeHead(200).end();
    return;
  }
  const done = answer(incoming, response, target, logger).finally(() => target.running.delete(done));
  target.running.add(done);
}

/** An endpoint that cannot be reached is told in one line; anything else is a fault of ours, with its stack. */
function reasonOf(error: unknown): object {
  return error instanceof UpstreamUnreachable ? { reason: error.message } : { err: error };
}

/** Never rejects. */
async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  target: CallTarget,
  logger: Logger,
): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) gone.abort(new Error("The engine has gone."));
  });
  const cut = (): void => void response.destroy();
  target.signal.addEventListener("abort", cut, { once: true });
  const signal = AbortSignal.any([gone.signal, target.signal]);
  try {
    const request = await readRequest(incoming);
    if ("status" in request) refuse(response, request.status, request.message);
    else await call({ request, target, response, signal });
  } catch (error) {
    if (!signal.aborted) logger.warn(reasonOf(error), "a model call failed");
    if (signal.aborted || response.headersSent) response.destroy();
    else if (error instanceof UpstreamUnreachable) refuse(response, 502, error.message);
    else refuse(response, 500, "The model broker failed.");
  } finally {
    target.signal.removeEventListener("abort", cut);
  }
}
