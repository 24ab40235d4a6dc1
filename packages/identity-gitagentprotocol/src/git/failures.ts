import type { WireError } from "@computeragent/protocol";
import type { RunResult } from "@computeragent/supervisor";
import { unreachable } from "./unreachable.ts";

/** What git's words (in the C locale) mean. Its own text is not passed on: it may hold paths and addresses of ours. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/could not resolve host(?:name)?|name or service not known|temporary failure in name/i, "the host is not known"],
  [/host key verification failed/i, "the ssh host key is not known to this machine"],
  [/authentication failed|could not read (?:username|password)|terminal prompts disabled/i, "access is denied"],
  [/permission denied|error: 40[13]\b|access denied/i, "access is denied"],
  [/dubious ownership/i, "the repository belongs to another user"],
  [/couldn't find remote ref|not our ref|no such ref|unadvertised object/i, "there is no such branch, tag or commit"],
  [/not found|does not exist|does not appear to be a git repository|no such file/i, "there is no such repository"],
  [/ssl|tls|certificate/i, "the secure connection failed"],
  [/no space left|disk quota/i, "the disk is full"],
  [/mismatched algorithms/i, "its object ids are of the other kind (SHA-1 or SHA-256) than the one asked for"],
  [/early eof|hung up|refused|timed out|reset|unreachable|failed to connect|empty reply/i, "the connection failed"],
];

/** The error for a git command that failed. */
export function gitFailure(shown: string, result: RunResult): WireError {
  if (result.error) return unreachable(`git could not be started to fetch ${shown}`, result.error);
  if (result.timedOut) return unreachable(`Fetching ${shown} took too long`);
  const meaning = MEANINGS.find(([pattern]) => pattern.test(result.stderr))?.[1];
  return unreachable(`Cannot fetch ${shown}: ${meaning ?? `git failed with exit code ${result.code ?? "none"}`}`);
}

/** True when the server knows the repository but not the ref. */
export function isUnknownRef(result: RunResult): boolean {
  return /couldn't find remote ref|not our ref|no such ref|unadvertised object/i.test(result.stderr);
}
