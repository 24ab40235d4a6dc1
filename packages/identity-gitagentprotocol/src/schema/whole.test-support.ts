import type { Json } from "./changes.test-support.ts";

/** For each schema but the manifest's (which has a test of its own) an object that uses all of it. */
export const WHOLE: Readonly<Record<string, Json>> = {
  config: {
    log_level: "warn",
    compliance_mode: true,
    audit_logging: false,
    model_override: null,
    temperature_override: 0.5,
    timeout_override: 3,
    env_vars: { A: "b" },
  },
  hooks: {
    hooks: Object.fromEntries(
      [
        "on_session_start",
        "on_session_end",
        "pre_tool_use",
        "post_tool_use",
        "on_error",
        "pre_response",
        "post_response",
      ].map((event) => [event, [{ script: "s", description: "d", timeout: 1, compliance: true, fail_open: false }]]),
    ),
  },
  knowledge: { documents: [{ path: "a", tags: ["x"], priority: "low", always_load: true, description: "d" }] },
  memory: {
    layers: [{ name: "n", path: "p", max_lines: 1, format: "yaml", rotation: "daily" }],
    update_triggers: ["periodic"],
    archive_policy: { max_entries: 1, compress_after: "90d", retention_period: "1y" },
  },
  skill: {
    name: "a-b",
    description: "d",
    license: "MIT",
    compatibility: "c",
    "allowed-tools": "Read",
    metadata: { a: "b" },
  },
  tool: {
    name: "t",
    description: "d",
    version: "1.0.0",
    input_schema: {
      type: "object",
      properties: {
        p: {
          type: "array",
          description: "d",
          enum: [1],
          format: "f",
          items: {},
          properties: {},
          required: ["q"],
          x: 1,
        },
      },
      required: ["p"],
    },
    output_schema: { type: "object" },
    implementation: {
      type: "script",
      path: "p",
      runtime: "bash",
      url: "https://a.example",
      method: "GET",
      headers: { a: "b" },
      timeout: 1,
    },
    annotations: {
      requires_confirmation: true,
      read_only: true,
      cost: "low",
      compliance_sensitive: true,
      idempotent: true,
    },
  },
  workflow: {
    name: "w",
    description: "d",
    version: "1.0.0",
    inputs: [{ name: "i", type: "file", description: "d", required: true, default: null }],
    outputs: [{ name: "o", type: "anything", description: "d" }],
    steps: [
      {
        id: "a",
        action: "x",
        skill: "s",
        tool: "t",
        agent: "g",
        inputs: { a: 1 },
        outputs: ["o"],
        depends_on: ["b"],
        conditions: ["c"],
        retry: { max_attempts: 1, backoff: "linear" },
        compliance: { requires_approval: true, audit_level: "full" },
      },
    ],
    error_handling: { on_step_failure: "abort", escalation_target: "me" },
  },
};
