/**
 * Where SSE frames of one reader go. The pump writes while `writable()` is true and otherwise waits for `drained()`.
 * Adapters: a corked Node response and a pull-based web stream, under one contract suite.
 */
export interface FrameSink {
  /** False once `highWaterMark` bytes (default 1 MiB) are unsent, or the sink is closed. */
  writable(): boolean;
  /** Hands over one or more complete frames. Bytes are never copied or changed. Ignored after close. */
  write(frames: Uint8Array): void;
  /** Resolves true when the sink is writable again, false when it closed or nothing was sent for `timeoutMs`. */
  drained(timeoutMs: number): Promise<boolean>;
  /** Bytes handed over but not yet taken by the transport. */
  readonly unsent: number;
  /** Resolves when the client is gone or `close` is done. */
  readonly closed: Promise<void>;
  /** Ends the stream after what was written; `destroy` cuts it. */
  close(): void;
  destroy(): void;
}
