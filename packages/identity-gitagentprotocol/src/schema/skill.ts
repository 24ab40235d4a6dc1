import { z } from "zod";
import { textUpTo } from "./text.ts";

/** Frontmatter of a SKILL.md, as published (closed object). */
export const SkillFrontMatter = z.strictObject({
  name: textUpTo(64).regex(/^[a-z](?:[a-z0-9]|-(?!-))*[a-z0-9]$|^[a-z]$/, {
    error: "must be lower-case letters, digits and single hyphens, beginning with a letter and not ending in a hyphen",
  }),
  description: textUpTo(1024),
  license: z.string().optional(),
  compatibility: z
    .string()
    .refine((text) => [...text].length <= 500, { error: "must have at most 500 characters" })
    .optional(),
  "allowed-tools": z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
});
export type SkillFrontMatter = z.infer<typeof SkillFrontMatter>;
