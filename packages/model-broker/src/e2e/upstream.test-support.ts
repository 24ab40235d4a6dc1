import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrokerRoute } from "../routes/route.ts";

/** What a stand-in endpoint saw. */
export interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly rawHeaders: string[];
  readonly body: string;
}

/** A stand-in for a model endpoint. */
export interface Endpoint extends AsyncDisposable {
  readonly route: BrokerRoute;
  readonly seen: Seen[];
}

/** Starts an endpoint that answers by `answer`. */
export async function endpoint(
  answer: (response: ServerResponse, seen: Seen, request: IncomingMessage) => unknown,
): Promise<Endpoint> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method, url, headers, rawHeaders } = request;
    const call = { method, url, headers, rawHeaders, body };
    seen.push(call);
    await answer(response, call, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  const credential = { header: "x-api-key", value: "sk-real" } as const;
  return {
    route: { id: "real", protocol: "anthropic", baseUrl, credential },
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A whole answer as JSON, with so much usage. */
export const message = (usage: object, model = "claude-opus-5-5"): string =>
  JSON.stringify({ type: "message", model, content: [], usage });

/** An event of a stream. */
export const event = (type: string, data: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

/** The first and the last events of a stream. */
export const START = event("message_start", {
  message: { model: "claude-opus-5-5", usage: { input_tokens: 11, output_tokens: 1 } },
});
export const DELTA = event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 22 } });
export const STOP = event("message_stop");
