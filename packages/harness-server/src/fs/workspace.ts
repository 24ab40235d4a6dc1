import type { Digests } from "./digests.ts";
import type { Jail } from "./jail.ts";
import type { Unfinished } from "./unfinished.ts";

/** What every operation on the files of one workspace needs. */
export interface Workspace {
  readonly jail: Jail;
  readonly digests: Digests;
  readonly unfinished: Unfinished;
  /** What a write or an edit may leave, in bytes. */
  readonly maxFileBytes: number;
}
