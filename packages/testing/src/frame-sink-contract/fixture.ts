import type { FrameSink } from "@computeragent/protocol";

/** The far end of a sink. It does not read before `resume`. */
export interface FrameClient {
  resume(): void;
  /** Everything read so far. */
  received(): Buffer;
  /** Resolves when nothing more can come: the stream ended or was cut. */
  readonly ended: Promise<void>;
  /** Goes away without a word. */
  leave(): void;
}

/** A sink with its client, over whatever the adapter is made for. */
export interface FrameSinkFixture {
  readonly sink: FrameSink;
  readonly client: FrameClient;
  dispose(): void | Promise<void>;
}

/** Makes a fixture whose sink has this high-water mark in bytes. */
export type MakeFrameSink = (options: { readonly highWaterMark: number }) => Promise<FrameSinkFixture>;
