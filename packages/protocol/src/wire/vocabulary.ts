import { z } from "zod";

/** How dangerous a tool call is. */
export const Risk = z.enum(["low", "medium", "high", "destructive"]).meta({ id: "Risk" });
export type Risk = z.infer<typeof Risk>;

/** What the engine may touch: a boundary that no mode lifts. */
export const Access = z.enum(["read_only", "workspace_write", "full"]).meta({ id: "Access" });
export type Access = z.infer<typeof Access>;

/** When a human is asked. */
export const PermissionMode = z
  .enum(["ask_all", "ask", "deny_destructive", "auto", "deny"])
  .meta({ id: "PermissionMode" });
export type PermissionMode = z.infer<typeof PermissionMode>;

/** Human-in-the-loop level of a manifest (the union of the GAP dialects). */
export const Hitl = z.enum(["always", "conditional", "destructive", "advisory", "none"]);
export type Hitl = z.infer<typeof Hitl>;

/** What a tool call does, as far as its name and input tell. */
export const ToolKind = z
  .enum(["read", "write", "execute", "network", "interaction", "other"])
  .meta({ id: "ToolKind" });
export type ToolKind = z.infer<typeof ToolKind>;

/** What an engine can do; the names stand in health and `ca_session_started`. */
export const Capability = z
  .enum([
    "streaming_input",
    "partials",
    "hitl",
    "modify",
    "interrupt",
    "steer",
    "fork",
    "sessions",
    "recovery",
    "budget",
  ])
  .meta({ id: "Capability" });
export type Capability = z.infer<typeof Capability>;

/** Life of a session. */
export const SessionStatus = z
  .enum(["idle", "running", "waiting_permission", "suspended", "ended"])
  .meta({ id: "SessionStatus" });
export type SessionStatus = z.infer<typeof SessionStatus>;

/** Upper bounds of a session. `maxTurns`: model steps per turn; `maxTokens`: input + output tokens of the session; `maxWallMs`: milliseconds of running time. */
export const Limits = z
  .strictObject({
    maxTurns: z.number().int().min(1).max(10_000).optional(),
    maxBudgetUsd: z.number().positive().max(1_000_000).optional(),
    maxTokens: z.number().int().min(1).optional(),
    maxWallMs: z
      .number()
      .int()
      .min(1)
      .max(30 * 24 * 3_600_000)
      .optional(),
  })
  .meta({ id: "Limits" });
export type Limits = z.infer<typeof Limits>;

/** The four token counters and the cost. `input_tokens` are uncached only; totals are the sum of the four. */
export const Usage = z
  .object({
    input_tokens: z.number().int().nonnegative(),
    cache_read_input_tokens: z.number().int().nonnegative(),
    cache_creation_input_tokens: z.number().int().nonnegative(),
    output_tokens: z.number().int().nonnegative(),
    cost_usd: z.number().nonnegative().optional(),
  })
  .meta({ id: "Usage" });
export type Usage = z.infer<typeof Usage>;

/** How model calls are paid. */
export const Billing = z.enum(["metered", "subscription", "offline", "unknown"]).meta({ id: "Billing" });
export type Billing = z.infer<typeof Billing>;
