import { z } from "zod";
import { JsonObjectSchema } from "../json.ts";
import { Capability } from "./vocabulary.ts";

const EngineHealth = z.object({
  capabilities: z.array(Capability),
  /** JSON Schema of what a caller may put into `options`. */
  options: JsonObjectSchema,
  version: z.string().nullable(),
});

/** A model endpoint as callers see it: never a URL or a credential. */
export const RouteInfo = z
  .object({
    id: z.string(),
    protocol: z.enum(["anthropic", "openai-responses", "openai-chat", "gemini", "offline"]),
    models: z.array(z.string()),
    offline: z.boolean(),
  })
  .meta({ id: "RouteInfo" });
export type RouteInfo = z.infer<typeof RouteInfo>;

/** Answer of `GET /v1/health`. Without a credential only the first four fields are given. */
export const Health = z
  .object({
    ok: z.boolean(),
    status: z.enum(["ready", "draining"]),
    version: z.string(),
    protocolVersion: z.string(),
    hostId: z.string().optional(),
    engines: z.record(z.string(), EngineHealth).optional(),
    loaders: z.array(z.string()).optional(),
    stores: z.array(z.string()).optional(),
    routes: z.array(RouteInfo).optional(),
    defaultRoute: z.string().nullable().optional(),
    journal: z.enum(["memory", "sqlite", "other"]).optional(),
    containment: JsonObjectSchema.optional(),
    limits: z.record(z.string(), z.number()).optional(),
    sessions: z.object({ live: z.number().int(), known: z.number().int(), readers: z.number().int() }).optional(),
  })
  .meta({ id: "Health" });
export type Health = z.infer<typeof Health>;
