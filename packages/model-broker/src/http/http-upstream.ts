import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Credential } from "../routes/route.ts";
import { type Upstream, type UpstreamAnswer, type UpstreamCall, UpstreamUnreachable } from "../upstream.ts";
import { downstreamHeaders } from "./headers.ts";

/** Variables that name an outgoing proxy. */
export type ProxyEnv = Readonly<Record<string, string | undefined>>;

/** Whether nothing of a failed call can have reached the endpoint: a kept connection was closed under our hands. */
const isStale = (request: ClientRequest, error: NodeJS.ErrnoException): boolean =>
  request.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");

const reason = (error: NodeJS.ErrnoException): string => error.code ?? error.name;

/** Forwards to an HTTP endpoint over kept connections, with the route's credential. */
export class HttpUpstream implements Upstream {
  readonly #base: URL;
  readonly #prefix: string;
  readonly #credential: Credential | undefined;
  readonly #agent: HttpAgent;

  constructor(baseUrl: string, credential: Credential | undefined, proxyEnv: ProxyEnv) {
    this.#base = new URL(baseUrl);
    this.#prefix = this.#base.pathname.replace(/\/+$/, "");
    this.#credential = credential;
    const options = { keepAlive: true, proxyEnv };
    this.#agent = this.#base.protocol === "https:" ? new HttpsAgent(options) : new HttpAgent(options);
  }

  async send(call: UpstreamCall): Promise<UpstreamAnswer> {
    try {
      return await this.#try(call, true);
    } catch (error) {
      if (call.signal.aborted) throw call.signal.reason;
      throw new UpstreamUnreachable(
        `The model endpoint cannot be reached (${reason(error as NodeJS.ErrnoException)}).`,
      );
    }
  }

  dispose(): void {
    this.#agent.destroy();
  }

  #try(call: UpstreamCall, mayRepeat: boolean): Promise<UpstreamAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<UpstreamAnswer>();
    const request = this.#request(call, (response) => {
      const { statusCode = 502, headers } = response;
      resolve({ status: statusCode, headers: downstreamHeaders(headers), body: response });
    });
    request.on("error", (error) => {
      if (mayRepeat && isStale(request, error) && !call.signal.aborted) resolve(this.#try(call, false));
      else reject(error);
    });
    request.end(call.body);
    return promise;
  }

  #request(call: UpstreamCall, onResponse: (response: IncomingMessage) => void): ClientRequest {
    const { hostname, port, protocol } = this.#base;
    const headers: Record<string, string | string[] | number> = { "accept-encoding": "identity" };
    for (const [name, value] of Object.entries(call.headers)) {
      headers[name] = typeof value === "string" ? value : [...value];
    }
    if (call.body.byteLength > 0 || call.method === "POST") headers["content-length"] = call.body.byteLength;
    if (this.#credential) headers[this.#credential.header] = this.#credential.value;
    const options = {
      hostname: hostname.replace(/^\[|\]$/g, ""),
      port,
      path: this.#prefix + call.target,
      method: call.method,
      headers,
      agent: this.#agent,
      signal: call.signal,
    };
    return protocol === "https:" ? httpsRequest(options, onResponse) : httpRequest(options, onResponse);
  }
}
