import type { IdentitySource } from "@computeragent/protocol";
import { parseGitSource } from "../git/spelling.ts";

/** What a source is called in messages: the caller's own words, for git without secrets. */
export function shownName(source: IdentitySource): string {
  if (source.type === "inline") return "given inline";
  return source.type === "local" ? source.path : parseGitSource(source).shown;
}
