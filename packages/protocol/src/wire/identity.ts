import { z } from "zod";
import { JsonObjectSchema, whole } from "../json.ts";

const GitSource = z.strictObject({
  type: z.literal("git"),
  url: z.string().min(1).max(2048),
  ref: z.string().min(1).max(256).optional(),
  subdir: z.string().min(1).max(1024).optional(),
});
const LocalSource = z.strictObject({ type: z.literal("local"), path: z.string().min(1).max(4096) });
const InlineSource = z.strictObject({
  type: z.literal("inline"),
  manifest: whole(JsonObjectSchema),
  files: whole(z.record(z.string().min(1).max(4096), z.string())).optional(),
});

/** Where an identity comes from. */
export const IdentitySource = z
  .discriminatedUnion("type", [GitSource, LocalSource, InlineSource])
  .meta({ id: "IdentitySource" });
export type IdentitySource = z.infer<typeof IdentitySource>;

/** The `identity` field of a create body. */
export const IdentityRef = z
  .strictObject({ loader: z.string().min(1).max(128), source: IdentitySource })
  .meta({ id: "IdentityRef" });
export type IdentityRef = z.infer<typeof IdentityRef>;

/** What an identity is called. `sha` is the commit, where there is one. */
export const IdentityInfo = z
  .object({ name: z.string(), version: z.string(), sha: z.string().nullable() })
  .meta({ id: "IdentityInfo" });
export type IdentityInfo = z.infer<typeof IdentityInfo>;
