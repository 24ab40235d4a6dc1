import { z } from "zod";
import { JsonObjectSchema } from "../json.ts";
import { Risk } from "../wire/vocabulary.ts";

/** `ca_permission_request`. `seq` and `redelivered` stand only in the control frame that repeats it. */
export const PermissionRequestData = z
  .object({
    callId: z.string(),
    toolName: z.string(),
    input: JsonObjectSchema,
    risk: Risk,
    title: z.string().optional(),
    agentId: z.string().optional(),
    expiresAt: z.string(),
    gap_compliance: z.object({ framework: z.string(), rule_citations: z.array(z.string()).optional() }).optional(),
    redelivered: z.literal(true).optional(),
    seq: z.number().int().optional(),
  })
  .meta({ id: "PermissionRequest" });
export type PermissionRequestData = z.infer<typeof PermissionRequestData>;

/** `ca_permission_resolved`. `by`: principal id, `policy`, `expiry` or `host`. */
export const PermissionResolvedData = z
  .object({
    callId: z.string(),
    decision: z.enum(["allow", "deny", "modify", "expired", "cancelled"]),
    by: z.string(),
    reason: z.string().optional(),
  })
  .meta({ id: "PermissionResolved" });
export type PermissionResolvedData = z.infer<typeof PermissionResolvedData>;
