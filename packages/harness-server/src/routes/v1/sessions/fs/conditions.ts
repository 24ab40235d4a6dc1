import type { Context } from "hono";
import type { Conditions } from "../../../../fs/index.ts";

/** The conditions that a request sets for a change. */
export function conditionsOf(c: Context): Conditions {
  return { ifMatch: c.req.header("if-match"), ifNoneMatch: c.req.header("if-none-match") };
}
