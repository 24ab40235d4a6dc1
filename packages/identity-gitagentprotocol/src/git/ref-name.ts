import { hasControlCharacter } from "../files/safe-path.ts";

/** Why git would not take this as the name of a branch, tag or commit; undefined when it would. */
export function refRefusal(ref: string): string | undefined {
  if (ref.startsWith("-")) return "must not begin with a hyphen";
  if (hasControlCharacter(ref) || !ref.isWellFormed()) return "must not hold control characters";
  if (/[\s~^:?*[\\]/.test(ref) || ref.includes("..") || ref.includes("@{") || ref === "@") {
    return "holds characters that no branch or tag can have";
  }
  if (/^\/|\/$|\/\/|\.$|(?:^|\/)\.|\.lock(?:\/|$)/.test(ref)) return "is not a valid name of a branch or tag";
  return undefined;
}

/** A whole commit id, SHA-1 or SHA-256. */
export function isCommitId(ref: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(ref);
}

/** The beginning of a commit id, as people copy it. */
export function isShortCommitId(ref: string): boolean {
  return /^[0-9a-f]{7,63}$/i.test(ref);
}
