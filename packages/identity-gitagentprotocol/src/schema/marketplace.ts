import { z } from "zod";
import { SkillFrontMatter } from "./skill.ts";
import { DateTime, SemVer, SkillName, textUpTo, Uri, uniqueList, wholeFrom } from "./text.ts";

/** `marketplace.json` of a skill package, as published. Registries add the last three. */
export const MarketplaceJson = z.strictObject({
  name: SkillName,
  version: SemVer,
  description: textUpTo(1024),
  author: z.string().optional(),
  license: z.string().optional(),
  homepage: Uri.optional(),
  repository: z.string().optional(),
  keywords: uniqueList(z.string()).optional(),
  skill: z.strictObject({ ...SkillFrontMatter.shape, name: z.string(), description: z.string() }),
  files: z.array(z.string()).optional(),
  registry: z.string().optional(),
  published_at: DateTime.optional(),
  downloads: wholeFrom(0).optional(),
});
