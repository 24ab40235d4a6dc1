import { WireError } from "@computeragent/protocol";
import type { Context } from "hono";

/**
 * Refuses a query whose percent-encoding is not UTF-8. The router leaves such text as it stands, so `%FF` would name the file
 * that is literally called "%FF" instead of the one that was meant.
 */
export function requireStrictQuery(c: Context): void {
  const start = c.req.url.indexOf("?");
  if (start === -1) return;
  try {
    decodeURIComponent(c.req.url.slice(start));
  } catch {
    throw new WireError("VALIDATION", "The query is not valid percent-encoded UTF-8");
  }
}
