import { z } from "zod";
import { mapOf, uniqueList } from "./text.ts";

const Role = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9_]*$/, {
    error: "must begin with a lower-case letter and hold only lower-case letters, digits and underscores",
  }),
  description: z.string(),
  permissions: uniqueList(
    z.enum(["create", "submit", "review", "approve", "reject", "execute", "audit", "report"]),
  ).optional(),
});

/** `compliance.segregation_of_duties`. */
export const SegregationOfDuties = z.strictObject({
  roles: z.array(Role).min(2).optional(),
  conflicts: z.array(z.array(z.string()).length(2)).optional(),
  assignments: mapOf(z.array(z.string()).min(1)).optional(),
  isolation: z
    .strictObject({
      state: z.enum(["full", "shared", "none"]).optional(),
      credentials: z.enum(["separate", "shared"]).optional(),
    })
    .optional(),
  handoffs: z
    .array(
      z.strictObject({
        action: z.string(),
        required_roles: z.array(z.string()).min(2),
        approval_required: z.boolean().optional(),
      }),
    )
    .optional(),
  enforcement: z.enum(["strict", "advisory"]).optional(),
});
