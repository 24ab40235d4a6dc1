import { z } from "zod";

const RelPath = z.string().max(65_536);
const flag = z.enum(["true", "false"]).optional();

/** One entry of a tree. `path` is relative to the workspace root, `mtime` in ms since the epoch, `mode` the permission bits. */
export const TreeEntry = z
  .object({
    path: z.string(),
    type: z.enum(["file", "dir", "symlink", "other"]),
    size: z.number().int(),
    mtime: z.number(),
    mode: z.number().int(),
    target: z.string().optional(),
  })
  .meta({ id: "TreeEntry" });
export type TreeEntry = z.infer<typeof TreeEntry>;

export const TreeQuery = z.object({
  path: RelPath.optional(),
  depth: z.coerce.number().int().min(1).max(64).optional(),
  limit: z.coerce.number().int().min(1).max(10_000).optional(),
  cursor: z.string().max(8192).optional(),
});
/** `depth` 1 = the children of `path`. `nextCursor` continues a cut listing. */
export const Tree = z.object({ entries: z.array(TreeEntry), nextCursor: z.string().nullable() }).meta({ id: "Tree" });
export type Tree = z.infer<typeof Tree>;

export const FileQuery = z.object({ path: RelPath, format: z.enum(["text", "binary"]).optional() });
export const DeleteQuery = z.object({ path: RelPath, recursive: flag });
export const WatchQuery = z.object({ path: RelPath.optional() });

/** `sha` is the SHA-256 of the content in hex, also the ETag. */
export const FileWritten = z
  .object({ ok: z.literal(true), sha: z.string(), size: z.number().int() })
  .meta({ id: "FileWritten" });
export type FileWritten = z.infer<typeof FileWritten>;

export const EditBody = z
  .strictObject({
    path: RelPath,
    old_string: z.string().min(1),
    new_string: z.string(),
    replace_all: z.boolean().optional(),
  })
  .meta({ id: "EditBody" });
export type EditBody = z.infer<typeof EditBody>;
export const Edited = z
  .object({ ok: z.literal(true), replacements: z.number().int(), sha: z.string(), size: z.number().int() })
  .meta({ id: "Edited" });
export type Edited = z.infer<typeof Edited>;

export const MkdirBody = z.strictObject({ path: RelPath, recursive: z.boolean().optional() }).meta({ id: "MkdirBody" });
export type MkdirBody = z.infer<typeof MkdirBody>;
export const MoveBody = z
  .strictObject({ from: RelPath, to: RelPath, overwrite: z.boolean().optional() })
  .meta({ id: "MoveBody" });
export type MoveBody = z.infer<typeof MoveBody>;
