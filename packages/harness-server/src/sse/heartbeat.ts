import type { FrameSink } from "@computeragent/protocol";
import { HEARTBEAT } from "./encode.ts";

/** One timer for all readers: a comment every interval to each sink that is not full. */
export class Heartbeat {
  readonly #sinks = new Set<FrameSink>();
  readonly #timer: NodeJS.Timeout;

  constructor(intervalMs: number) {
    this.#timer = setInterval(() => this.#beat(), intervalMs);
    this.#timer.unref();
  }

  /** Beats until the sink is closed. */
  add(sink: FrameSink): void {
    this.#sinks.add(sink);
    void sink.closed.then(() => this.#sinks.delete(sink));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    for (const sink of this.#sinks) if (sink.writable()) sink.write(HEARTBEAT);
  }
}
