import { z } from "zod";
import { mapOf, SemVer, wholeFrom } from "./text.ts";

const Step = z.strictObject({
  id: z.string(),
  action: z.string(),
  skill: z.string().optional(),
  tool: z.string().optional(),
  agent: z.string().optional(),
  inputs: mapOf(z.unknown()).optional(),
  outputs: z.array(z.string()).optional(),
  depends_on: z.array(z.string()).optional(),
  conditions: z.array(z.string()).optional(),
  retry: z
    .strictObject({ max_attempts: wholeFrom(1).optional(), backoff: z.enum(["linear", "exponential"]).optional() })
    .optional(),
  compliance: z
    .strictObject({
      requires_approval: z.boolean().optional(),
      audit_level: z.enum(["none", "basic", "detailed", "full"]).optional(),
    })
    .optional(),
});

/** `workflows/<name>.yaml`, as published. */
export const WorkflowYaml = z.strictObject({
  name: z.string(),
  description: z.string().optional(),
  version: SemVer.optional(),
  inputs: z
    .array(
      z.strictObject({
        name: z.string(),
        type: z.enum(["string", "number", "boolean", "file", "object", "array"]),
        description: z.string().optional(),
        required: z.boolean().optional(),
        default: z.unknown().optional(),
      }),
    )
    .optional(),
  outputs: z
    .array(z.strictObject({ name: z.string(), type: z.string(), description: z.string().optional() }))
    .optional(),
  steps: z.array(Step).min(1),
  error_handling: z
    .strictObject({
      on_step_failure: z.enum(["abort", "skip", "retry", "escalate"]).optional(),
      escalation_target: z.string().optional(),
    })
    .optional(),
});
