import { JsonObjectSchema, whole } from "@computeragent/protocol";
import { z } from "zod";

const Effort = z.enum(["low", "medium", "high", "xhigh", "max"]);
const ToolNames = z.array(z.string().min(1).max(256)).max(200);

const Thinking = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("adaptive") }),
  z.strictObject({ type: z.literal("enabled"), budgetTokens: z.number().int().min(1024).max(1_000_000) }),
  z.strictObject({ type: z.literal("disabled") }),
]);

/** A sub-agent. It gets no servers, no permission mode and no background of its own: its calls are authorised like any other. */
const Agent = z.strictObject({
  description: z.string().min(1).max(4096),
  prompt: z.string().min(1).max(65_536),
  tools: ToolNames.optional(),
  disallowedTools: ToolNames.optional(),
  model: z.string().min(1).max(256).optional(),
  skills: z.array(z.string().min(1).max(256)).max(200).optional(),
  maxTurns: z.number().int().min(1).max(10_000).optional(),
  effort: Effort.optional(),
});

/** What a caller may set for a Claude session. Nothing here names an executable, an argument, a settings file, a server, a hook or a folder. */
export const ClaudeCallerOptions = z.strictObject({
  effort: Effort.optional(),
  thinking: Thinking.optional(),
  outputFormat: z.strictObject({ type: z.literal("json_schema"), schema: whole(JsonObjectSchema) }).optional(),
  agents: whole(z.record(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), Agent)).optional(),
  disallowedTools: ToolNames.optional(),
});
export type ClaudeCallerOptions = z.infer<typeof ClaudeCallerOptions>;
