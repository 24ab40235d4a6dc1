import type { Block } from "./block.ts";

/** What waits to be appended to one stream. */
export interface Batch {
  readonly kind: "append";
  readonly stream: number;
  readonly fence: number;
  readonly blocks: readonly Block[];
}

/** A stream that is to be dropped. */
export interface Drop {
  readonly kind: "drop";
  readonly stream: number;
}

/** One thing for the writer to do. */
export type Task = Batch | Drop;

/** What became of a task: the first number it was given (0 for a drop), or why nothing of it is stored. */
export type Outcome =
  | { readonly kind: "stored"; readonly firstSeq: number }
  | { readonly kind: "fenced" }
  | { readonly kind: "failed"; readonly failure: Failure };

/** An error of the storage, such as `SQLITE_FULL`. */
export interface Failure {
  readonly message: string;
  readonly code: string | undefined;
}

/** What the writer's thread begins with. */
export interface WriterData {
  readonly path: string;
  readonly busyTimeoutMs: number;
}

/** To the writer: tasks for one commit, or the end. */
export type ToWriter = { readonly kind: "commit"; readonly tasks: readonly Task[] } | { readonly kind: "close" };

/** From the writer: it is ready, could not begin, or has done the commit that it was given. */
export type FromWriter =
  | { readonly kind: "ready" }
  | { readonly kind: "unusable"; readonly failure: Failure }
  | { readonly kind: "done"; readonly outcomes: readonly Outcome[] };

/** An error as it can cross threads. */
export function failureOf(error: unknown): Failure {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : undefined;
  return { message: error instanceof Error ? error.message : String(error), code };
}

/** An error of the storage, on the side of the caller. */
export function errorOf({ message, code }: Failure): Error {
  return Object.assign(new Error(`the journal could not be written: ${message}`), { code });
}
