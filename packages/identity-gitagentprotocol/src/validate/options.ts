import type { Profile } from "./severity.ts";

/** Finds secrets in a text: what kind each is and at which offset it begins. */
export type FindSecrets = (text: string) => readonly { readonly kind: string; readonly start: number }[];

/** Whether a path of the agent is missing in what a load copies. */
export type IsLeftOut = (path: string) => Promise<boolean>;

/** A path of the agent that a load does not bring, and why (a predicate, such as "may not be read"). */
export interface NotLoaded {
  readonly path: string;
  readonly why: string;
}

/** How to validate. Default profile: `lenient`. */
export interface ValidateOptions {
  readonly profile?: Profile;
  readonly signal?: AbortSignal;
  /** What recognises secrets in texts. Default: values are judged by their names only. */
  readonly findSecrets?: FindSecrets;
  /** What a load would not copy from the folder. Default: nothing. */
  readonly isLeftOut?: IsLeftOut;
  /** What a load of the source told of parts that it does not bring. Default: nothing. */
  readonly notLoaded?: readonly NotLoaded[];
}
