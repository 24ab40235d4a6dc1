/** A request to a model endpoint. */
export interface UpstreamCall {
  readonly method: string;
  /** Path with query, as the engine sent it: begins with `/`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array;
  /** Aborted when nobody wants the answer any more. */
  readonly signal: AbortSignal;
}

/** An answer of a model endpoint. The body is read once, as fast as the reader takes it. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Where model calls go. */
export interface Upstream {
  /** Rejects with `UpstreamUnreachable` when there is no answer, with the signal's reason when aborted. */
  send(call: UpstreamCall): Promise<UpstreamAnswer>;
  /** Lets go of idle connections. */
  dispose?(): void;
}

/** The endpoint gave no answer at all. The message is fit for people and holds no URL. */
export class UpstreamUnreachable extends Error {
  override readonly name = "UpstreamUnreachable";
}
