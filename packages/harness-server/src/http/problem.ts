import { WireError } from "@computeragent/protocol";
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
  if (wire.code === "UNAUTHORIZED") headers["www-authenticate"] = 'Bearer realm="computeragent"';
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}

function internal(error: unknown, logger: Logger): WireError {
  logger.error({ err: error }, "unexpected error");
  return new WireError("INTERNAL", "something went wrong in the host; its log says what");
}
