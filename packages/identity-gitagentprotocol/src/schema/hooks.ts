import { z } from "zod";
import { wholeFrom } from "./text.ts";

const hookList = z
  .array(
    z.strictObject({
      script: z.string(),
      description: z.string(),
      /** Seconds; 30 when absent. */
      timeout: wholeFrom(1).optional(),
      compliance: z.boolean().optional(),
      /** When absent or false, a failed hook blocks. */
      fail_open: z.boolean().optional(),
    }),
  )
  .optional();

/** `hooks/hooks.yaml`, as published. Scripts are relative to `hooks/`. */
export const HooksYaml = z.strictObject({
  hooks: z.strictObject({
    on_session_start: hookList,
    on_session_end: hookList,
    pre_tool_use: hookList,
    post_tool_use: hookList,
    on_error: hookList,
    pre_response: hookList,
    post_response: hookList,
  }),
});
