import type { Profile } from "./severity.ts";

/** Finds secrets in a text: what kind each is and at which offset it begins. */
export type FindSecrets = (text: string) => readonly { readonly kind: string; readonly start: number }[];

/** Whether a path of the agent is missing in what a load copies. */
export type IsLeftOut = (path: string) => Promise<boolean>;

/** How to validate. Default profile: `lenient`. */
export interface ValidateOptions {
  readonly profile?: Profile;
  readonly signal?: AbortSignal;
  /** What recognises secrets in texts. Default: values are judged by their names only. */
  readonly findSecrets?: FindSecrets;
  /** What a load would not copy from the folder. Default: nothing. */
  readonly isLeftOut?: IsLeftOut;
}
