import { z } from "zod";
import { Compliance } from "./compliance.ts";
import { mapOf, Name, SemVer, Uri, uniqueList, wholeFrom } from "./text.ts";

const Model = z.strictObject({
  preferred: z.string().optional(),
  fallback: z.array(z.string()).optional(),
  constraints: z
    .strictObject({
      temperature: z.number().min(0).max(2).optional(),
      max_tokens: wholeFrom(1).optional(),
      top_p: z.number().min(0).max(1).optional(),
      top_k: wholeFrom(1).optional(),
      stop_sequences: z.array(z.string()).optional(),
      presence_penalty: z.number().min(-2).max(2).optional(),
      frequency_penalty: z.number().min(-2).max(2).optional(),
    })
    .optional(),
});

const Dependency = z.strictObject({
  name: Name,
  source: z.string(),
  version: z.string().optional(),
  mount: z.string().optional(),
  vendor_management: z
    .strictObject({
      due_diligence_date: z.iso.date().optional(),
      soc_report: z.boolean().optional(),
      risk_assessment: z.enum(["low", "medium", "high", "critical"]).optional(),
    })
    .optional(),
});

const SubAgent = z.strictObject({
  description: z.string().optional(),
  delegation: z
    .strictObject({
      mode: z.enum(["auto", "explicit", "router"]).optional(),
      triggers: z.array(z.string()).optional(),
    })
    .optional(),
});

const McpServer = z
  .strictObject({
    command: z.string().optional(),
    args: z.array(z.string()).optional(),
    env: mapOf(z.string()).optional(),
    url: Uri.optional(),
    headers: mapOf(z.string()).optional(),
  })
  .refine((server) => (server.command === undefined) !== (server.url === undefined), {
    error: "must have exactly one of command and url",
  });

const AgentToAgent = z.strictObject({
  url: Uri.optional(),
  capabilities: z.array(z.string()).optional(),
  authentication: z
    .strictObject({
      type: z.enum(["none", "api_key", "oauth2", "mtls"]).optional(),
      credentials_ref: z.string().optional(),
    })
    .optional(),
  protocols: z.array(z.enum(["a2a", "mcp"])).optional(),
});

/** `agent.yaml` as published for spec version 0.1.0: closed at every level. */
export const AgentYaml = z.strictObject({
  spec_version: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/, { error: "must be three numbers with dots between" })
    .optional(),
  name: Name,
  version: SemVer,
  description: z.string().min(1, { error: "must not be empty" }),
  author: z.string().optional(),
  license: z.string().optional(),
  model: Model.optional(),
  extends: z.string().optional(),
  dependencies: z.array(Dependency).optional(),
  skills: uniqueList(Name).optional(),
  tools: uniqueList(Name).optional(),
  agents: mapOf(SubAgent).optional(),
  delegation: z
    .strictObject({ mode: z.enum(["auto", "explicit", "router"]).optional(), router: z.string().optional() })
    .optional(),
  runtime: z
    .strictObject({
      max_turns: wholeFrom(1).optional(),
      temperature: z.number().min(0).max(2).optional(),
      timeout: wholeFrom(1).optional(),
    })
    .optional(),
  a2a: AgentToAgent.optional(),
  compliance: Compliance.optional(),
  registries: z.array(z.strictObject({ name: z.string(), url: Uri.optional() })).optional(),
  tags: uniqueList(z.string()).optional(),
  mcp_servers: mapOf(McpServer).optional(),
  metadata: z
    .record(
      z.string(),
      z.union([z.string(), z.number(), z.boolean()], { error: "must be text, a number, true or false" }),
    )
    .optional(),
});
export type AgentYaml = z.infer<typeof AgentYaml>;
