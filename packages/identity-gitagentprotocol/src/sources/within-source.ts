import { readdir } from "node:fs/promises";
import { LimitExceeded } from "../files/budget.ts";
import { emptyDir } from "../files/empty-dir.ts";
import { unreachable } from "../git/unreachable.ts";

/** Where work on a source happens. `dirs` must exist and be empty, and are emptied again when it fails. */
export interface SourceScope {
  /** Name of the source for messages: what the caller said, without secrets. */
  readonly shown: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly dirs: readonly string[];
}

/**
 * Runs work on a source within its time. A passed limit or time becomes `WireError` SOURCE_UNREACHABLE, an abort rejects
 * with the signal's reason, and no half-made files stay.
 */
export async function withinSource<T>(scope: SourceScope, work: (inTime: AbortSignal) => Promise<T>): Promise<T> {
  for (const dir of scope.dirs) if ((await readdir(dir)).length > 0) throw new Error(`The folder ${dir} is not empty`);
  const outOfTime = AbortSignal.timeout(scope.timeoutMs);
  try {
    const result = await work(AbortSignal.any([scope.signal, outOfTime]));
    scope.signal.throwIfAborted();
    return result;
  } catch (error) {
    await Promise.all(scope.dirs.map(emptyDir));
    if (scope.signal.aborted) throw scope.signal.reason;
    if (outOfTime.aborted) throw unreachable(`Fetching ${scope.shown} took too long`, error);
    if (error instanceof LimitExceeded) throw unreachable(`The source ${scope.shown} ${error.message}`);
    throw error;
  }
}
