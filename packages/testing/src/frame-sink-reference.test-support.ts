import type { ServerResponse } from "node:http";
import type { FrameSink } from "@computeragent/protocol";

type Release = (drained: boolean) => void;

/** The waiting part that the reference sinks share. */
abstract class ReferenceSink implements FrameSink {
  abstract readonly unsent: number;
  protected over = false;
  protected readonly highWaterMark: number;
  readonly #closed = Promise.withResolvers<void>();
  readonly #waiting = new Set<Release>();

  constructor(highWaterMark: number) {
    this.highWaterMark = highWaterMark;
  }

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  writable(): boolean {
    return !this.over && this.unsent < this.highWaterMark;
  }

  abstract write(frames: Uint8Array): void;
  abstract close(): void;
  abstract destroy(): void;

  drained(timeoutMs: number): Promise<boolean> {
    if (this.over || this.writable()) return Promise.resolve(!this.over);
    return new Promise((resolve) => {
      let before = this.unsent;
      const timer = setInterval(() => {
        if (this.unsent >= before) release(false);
        before = this.unsent;
      }, timeoutMs);
      const release: Release = (drained) => {
        clearInterval(timer);
        this.#waiting.delete(release);
        resolve(drained);
      };
      this.#waiting.add(release);
    });
  }

  protected progressed(): void {
    if (this.writable()) for (const release of this.#waiting) release(true);
  }

  protected gone(): void {
    this.over = true;
    for (const release of this.#waiting) release(false);
    this.#closed.resolve();
  }
}

/** Writes straight to a Node response. */
export class ReferenceNodeSink extends ReferenceSink {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse, highWaterMark: number) {
    super(highWaterMark);
    this.#response = response;
    response.on("drain", () => this.progressed());
    response.on("close", () => this.gone());
    response.on("finish", () => this.gone());
    response.on("error", () => {});
  }

  get unsent(): number {
    return this.#response.destroyed ? 0 : this.#response.writableLength;
  }

  write(frames: Uint8Array): void {
    if (!this.over) this.#response.write(frames, (error) => error || this.progressed());
  }

  close(): void {
    this.over = true;
    this.#response.end();
  }

  destroy(): void {
    this.over = true;
    this.#response.destroy();
  }
}

/** Feeds a web stream as it is pulled. */
export class ReferenceWebSink extends ReferenceSink {
  readonly body: ReadableStream<Uint8Array>;
  readonly #queue: Uint8Array[] = [];
  #pulled = Promise.withResolvers<void>();
  unsent = 0;

  constructor(highWaterMark: number) {
    super(highWaterMark);
    this.body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          while (this.#queue.length === 0 && !this.over) await this.#pulled.promise;
          const next = this.#queue.shift();
          if (next) {
            controller.enqueue(next);
            this.unsent -= next.length;
            this.progressed();
          }
          if (this.over && this.#queue.length === 0) {
            controller.close();
            this.gone();
          }
        },
        cancel: () => this.destroy(),
      },
      { highWaterMark: 0 },
    );
  }

  write(frames: Uint8Array): void {
    if (this.over) return;
    this.#queue.push(frames);
    this.unsent += frames.length;
    this.#ring();
  }

  close(): void {
    this.over = true;
    this.#ring();
  }

  destroy(): void {
    this.#queue.length = 0;
    this.unsent = 0;
    this.gone();
    this.#ring();
  }

  #ring(): void {
    this.#pulled.resolve();
    this.#pulled = Promise.withResolvers<void>();
  }
}
