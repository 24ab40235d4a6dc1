import type { NoticeSink } from "../files/copy-request.ts";
import type { GapLoaderOptions, SourceLimits } from "../options.ts";

/** Where a source goes and what it may cost. */
export interface Materialiser {
  /** Existing, empty: gets the files of the identity. */
  readonly dir: string;
  /** Existing: for what is needed on the way, removed again. */
  readonly generatedDir: string;
  readonly options: GapLoaderOptions;
  readonly limits: SourceLimits;
  readonly notices: NoticeSink;
  readonly signal: AbortSignal;
}
