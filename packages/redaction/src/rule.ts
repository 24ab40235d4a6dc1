/** Most characters after its beginning within which a shape must have been recognised. */
export const WINDOW = 150;
/** Most bytes of a session's own value that are compared before it counts as found. */
export const OWN_WINDOW = 96;

/** What must stand left of a beginning. */
export type Left = "word" | "digit" | "scheme" | "query" | "any";

/** Takes what still belongs to a secret that has been recognised; may span several chunks. */
export interface Tail {
  /** True once the secret has ended. */
  readonly done: boolean;
  /** Consumes from `at`, looks no further than `end`; returns where it stopped. With `final` it must become done. */
  take(s: string, at: number, end: number, final: boolean): number;
}

/** A recognised secret: `from` is where masking begins (text before it stays), `to` how far it has been read. */
export interface Hit {
  readonly from: number;
  readonly to: number;
  /** Absent: the secret ends at `to`. */
  readonly tail?: Tail;
  /** True: nothing is masked, the text up to `to` is passed over. */
  readonly pass?: boolean;
}

/** `no`: not a secret; `more`: cannot be told before more text is there. */
export type Verdict = "no" | "more" | Hit;

/**
 * One shape. Rules are monotone: what is a secret stays one when more text follows, `[` belongs to no shape, and
 * everything is decided within `WINDOW` characters. That makes masking idempotent and the same for every chunking.
 */
export interface Rule {
  readonly kind: string;
  readonly starts: readonly string[];
  readonly left: Left;
  /** Judges the text at `at`, where one of `starts` (of length `skip`) was found; must not look at `end` or beyond. */
  judge(s: string, at: number, skip: number, end: number, final: boolean): Verdict;
}

/** The text that stands for a secret. */
export function marker(kind: string): string {
  return `[masked:${kind}]`;
}

/** The kind of the rule that lets markers pass. */
export const MARKER = "marker";
