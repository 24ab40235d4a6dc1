import { z } from "zod";
import { wholeFrom } from "./text.ts";

const age = z
  .string()
  .regex(/^\d+[dmy]$/, { error: "must be a number with d, m or y" })
  .optional();

/** `memory/memory.yaml`, as published. Paths are relative to `memory/`. */
export const MemoryYaml = z.strictObject({
  layers: z
    .array(
      z.strictObject({
        name: z.string(),
        path: z.string(),
        max_lines: wholeFrom(1).optional(),
        format: z.enum(["markdown", "yaml", "json"]).optional(),
        rotation: z.enum(["daily", "weekly", "monthly", "quarterly", "yearly"]).optional(),
      }),
    )
    .optional(),
  update_triggers: z.array(z.enum(["on_session_end", "on_explicit_save", "on_milestone", "periodic"])).optional(),
  archive_policy: z
    .strictObject({ max_entries: wholeFrom(1).optional(), compress_after: age, retention_period: age })
    .optional(),
});
