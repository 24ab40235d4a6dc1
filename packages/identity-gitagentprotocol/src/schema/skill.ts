import { z } from "zod";
import { mapOf, SkillName, textUpTo } from "./text.ts";

/** Frontmatter of a SKILL.md, as published (closed object). */
export const SkillFrontMatter = z.strictObject({
  name: SkillName,
  description: textUpTo(1024),
  license: z.string().optional(),
  compatibility: z
    .string()
    .refine((text) => [...text].length <= 500, { error: "must have at most 500 characters" })
    .optional(),
  "allowed-tools": z.string().optional(),
  metadata: mapOf(z.string()).optional(),
});
export type SkillFrontMatter = z.infer<typeof SkillFrontMatter>;
