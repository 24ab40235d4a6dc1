import { WireError } from "@computeragent/protocol";

/** The source cannot be fetched. `detail` must hold no credential and no path but the caller's own. */
export function unreachable(detail: string, cause?: unknown): WireError {
  return new WireError("SOURCE_UNREACHABLE", detail, cause === undefined ? {} : { cause });
}
