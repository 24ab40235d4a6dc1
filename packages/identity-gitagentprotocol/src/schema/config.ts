import { z } from "zod";
import { mapOf, wholeFrom } from "./text.ts";

/** `config/<environment>.yaml`, as published. */
export const ConfigYaml = z.strictObject({
  log_level: z.enum(["debug", "info", "warn", "error"]).optional(),
  compliance_mode: z.boolean().optional(),
  audit_logging: z.boolean().optional(),
  model_override: z.string().nullable().optional(),
  temperature_override: z.number().min(0).max(2).nullable().optional(),
  /** Seconds. */
  timeout_override: wholeFrom(1).nullable().optional(),
  env_vars: mapOf(z.string()).optional(),
});
