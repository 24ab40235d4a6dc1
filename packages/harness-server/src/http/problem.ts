import { WireError } from "@computeragent/protocol";
import { errno } from "../fs/fs-errors.ts";
import type { Logger } from "../logger.ts";

/** The answer for anything thrown: a `WireError` as it is, everything else as INTERNAL with the cause only in the log. */
export function problemResponse(error: unknown, logger: Logger): Response {
  const wire = WireError.isInstance(error) ? error : internal(error, logger);
  const problem = wire.toProblem();
  const headers: Record<string, string> = {
    "content-type": "application/problem+json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
  // A host that is full keeps no connection of those it turns away.
  if (wire.code === "LIMIT_REACHED") Object.assign(headers, { connection: "close", "retry-after": "1" });
  if (wire.code === "UNAUTHORIZED") headers["www-authenticate"] = 'Bearer realm="computeragent"';
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}

/** What the machine has run out of, by the name of the system's error. */
const USED_UP: Readonly<Record<string, string>> = {
  ENOSPC: "the disk of the host is full",
  EDQUOT: "the disk quota of the host is used up",
  EMFILE: "the host has too many open files",
  ENFILE: "the host's machine has too many open files",
  EAGAIN: "the host's machine takes no more processes",
  ENOMEM: "the host's machine has no memory left",
};

function internal(error: unknown, logger: Logger): WireError {
  const usedUp = USED_UP[errno(error) ?? ""];
  if (usedUp !== undefined) {
    logger.error({ code: errno(error) }, usedUp);
    return new WireError("LIMIT_REACHED", usedUp, { cause: error });
  }
  logger.error({ err: error }, "unexpected error");
  return new WireError("INTERNAL", "something went wrong in the host; its log says what");
}
