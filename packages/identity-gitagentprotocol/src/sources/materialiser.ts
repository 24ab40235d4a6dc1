import type { NoticeList } from "../model/notices.ts";
import type { SourceLimits, SourceOptions } from "../options.ts";

/** Where a source goes and what it may cost. */
export interface Materialiser {
  /** Existing, empty: gets the files of the identity. */
  readonly dir: string;
  /** Existing: for what is needed on the way, removed again. */
  readonly generatedDir: string;
  readonly options: SourceOptions;
  readonly limits: SourceLimits;
  readonly notices: NoticeList;
  readonly signal: AbortSignal;
}
