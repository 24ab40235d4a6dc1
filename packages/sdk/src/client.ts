import type { ROUTES, RouteName } from "@computeragent/protocol";
import { errorOf, HarnessClientError } from "./errors.ts";
import { PATHS } from "./paths.ts";

type Table = typeof ROUTES;
type Parsed<Z> = Z extends { _zod: { output: infer T } } ? T : never;
type Given<Z> = Z extends { _zod: { input: infer T } } ? T : never;
type BodyOf<N extends RouteName> = Table[N] extends { body: infer B }
  ? B extends "bytes"
    ? BodyInit
    : Given<B>
  : never;
type QueryOf<N extends RouteName> = Table[N] extends { query: infer Q } ? Given<Q> : never;
type ResultOf<N extends RouteName> = Table[N]["response"] extends string ? Response : Parsed<Table[N]["response"]>;

/** How a host is reached. */
export interface ClientOptions {
  /** For example `http://127.0.0.1:7700`. */
  readonly baseUrl: string;
  readonly token?: string;
  /** For hosts in process, proxies or tests. Default: the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** One call: what stands in the path, the query and the body. */
export interface CallOptions<N extends RouteName> {
  readonly sessionId?: string;
  readonly callId?: string;
  readonly query?: QueryOf<N> extends never ? never : Partial<Record<keyof QueryOf<N>, string | number | undefined>>;
  readonly body?: BodyOf<N>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A typed client of one harness host. */
export interface HarnessClient {
  readonly baseUrl: string;
  /** Calls a route of the protocol. Routes that stream or give bytes resolve with the `Response`. Rejects with `HarnessClientError`. */
  call<N extends RouteName>(name: N, options?: CallOptions<N>): Promise<ResultOf<N>>;
}

/** Makes a client; nothing is sent before the first call. */
export function createClient(options: ClientOptions): HarnessClient {
  const base = options.baseUrl.replace(/\/+$/, "");
  const send = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init));
  return {
    baseUrl: base,
    async call<N extends RouteName>(name: N, call: CallOptions<N> = {}): Promise<ResultOf<N>> {
      const [method, path] = PATHS[name];
      // The signal goes to fetch itself: one that hangs on a Request object may be lost when that object is collected.
      const init: RequestInit = {
        method,
        headers: headersOf(options.token, name, call),
        ...(call.body === undefined
          ? {}
          : { body: name === "fsWrite" ? (call.body as BodyInit) : JSON.stringify(call.body) }),
        ...(call.signal ? { signal: call.signal } : {}),
      };
      const response = await send(urlOf(base, path, call), init).catch((cause: unknown) => {
        if (call.signal?.aborted) throw cause;
        throw new HarnessClientError("UNREACHABLE", `no harness host answers at ${base}`, { cause });
      });
      if (!response.ok) throw await errorOf(response);
      const streamed = name === "chat" || name === "events" || name === "fsRead" || name === "fsWatch";
      return (streamed ? response : await jsonOf(response)) as ResultOf<N>;
    },
  };
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw new HarnessClientError("BAD_ANSWER", "the host's answer is not JSON", { status: response.status, cause });
  }
}

function urlOf<N extends RouteName>(base: string, path: string, call: CallOptions<N>): string {
  const filled = path.replace(/:(\w+)/g, (_all, key: string) => {
    const value = key === "sessionId" ? call.sessionId : call.callId;
    if (value === undefined) throw new TypeError(`this call needs ${key}`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(call.query ?? {})) if (value !== undefined) query.set(key, String(value));
  const text = query.toString();
  return `${base}${filled}${text ? `?${text}` : ""}`;
}

function headersOf<N extends RouteName>(token: string | undefined, name: N, call: CallOptions<N>): Headers {
  const headers = new Headers(call.headers);
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  if (call.body !== undefined && !headers.has("content-type")) {
    headers.set("content-type", name === "fsWrite" ? "application/octet-stream" : "application/json");
  }
  return headers;
}
