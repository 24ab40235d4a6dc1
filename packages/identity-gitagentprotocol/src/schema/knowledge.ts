import { z } from "zod";
import { uniqueList } from "./text.ts";

/** `knowledge/index.yaml`, as published. Paths are relative to `knowledge/`. */
export const KnowledgeIndex = z.strictObject({
  documents: z.array(
    z.strictObject({
      path: z.string(),
      tags: uniqueList(z.string()).optional(),
      priority: z.enum(["low", "medium", "high"]).optional(),
      always_load: z.boolean().optional(),
      description: z.string().optional(),
    }),
  ),
});
