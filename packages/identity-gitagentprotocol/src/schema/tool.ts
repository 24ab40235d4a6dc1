import { z } from "zod";
import { mapOf, Name, SemVer, Uri, wholeFrom } from "./text.ts";

const anyObject = mapOf(z.unknown());

const Parameter = z.looseObject({
  type: z.string(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  items: anyObject.optional(),
  properties: anyObject.optional(),
  required: z.array(z.string()).optional(),
});

/** What each kind of implementation cannot do without. */
const NEEDED = { script: ["path", "runtime"], http: ["url", "method"], mcp_server: ["url"] } as const;

const Implementation = z
  .strictObject({
    type: z.enum(["script", "mcp_server", "http"]),
    path: z.string().optional(),
    runtime: z.enum(["node", "python3", "bash", "deno", "ruby", "go"]).optional(),
    url: Uri.optional(),
    method: z.enum(["GET", "POST", "PUT", "DELETE"]).optional(),
    headers: mapOf(z.string()).optional(),
    /** Seconds. */
    timeout: wholeFrom(1).optional(),
  })
  .superRefine((implementation, context) => {
    for (const key of NEEDED[implementation.type]) {
      if (implementation[key] !== undefined) continue;
      context.addIssue({ code: "custom", path: [key], message: `is required when type is ${implementation.type}` });
    }
  });

/** `tools/<name>.yaml`, as published. Paths are relative to `tools/`. */
export const ToolYaml = z.strictObject({
  name: Name,
  description: z.string().min(1, { error: "must not be empty" }),
  version: SemVer.optional(),
  input_schema: z.looseObject({
    type: z.literal("object"),
    properties: mapOf(Parameter),
    required: z.array(z.string()).optional(),
  }),
  output_schema: anyObject.optional(),
  implementation: Implementation.optional(),
  annotations: z
    .strictObject({
      requires_confirmation: z.boolean().optional(),
      read_only: z.boolean().optional(),
      cost: z.enum(["none", "low", "medium", "high"]).optional(),
      compliance_sensitive: z.boolean().optional(),
      idempotent: z.boolean().optional(),
    })
    .optional(),
});
