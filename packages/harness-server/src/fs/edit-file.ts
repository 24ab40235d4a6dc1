import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { type EditBody, WireError } from "@computeragent/protocol";
import { type Conditions, checkFile } from "./conditions.ts";
import { lstatAt, openPinned, readStart, sameVersion } from "./descriptors.ts";
import { locked, lockKey } from "./path-locks.ts";
import { type ByteName, parsePath, quote, type RelPath } from "./rel-path.ts";
import { type Replacement, replaceText } from "./replace-text.ts";
import { leafFile, stage, tooLarge } from "./staging.ts";
import type { Workspace } from "./workspace.ts";
import type { Written } from "./write-file.ts";

const MAX_EDIT_BYTES = 16 * 1024 * 1024;
const MAX_RESULT_BYTES = 64 * 1024 * 1024;
const ATTEMPTS = 4;

/** What an edit answers. */
export interface EditResult extends Written {
  readonly replacements: number;
}

/** What to do with a file, and the version that it must have. */
interface Edit extends Replacement {
  readonly conditions: Conditions;
}

/** Replaces text in a UTF-8 file of at most 16 MiB in one step; a change by somebody else meanwhile is seen up to the rename. */
export async function editFile(workspace: Workspace, body: EditBody, conditions: Conditions): Promise<EditResult> {
  const rel = parsePath(body.path);
  if (rel.names.length === 0) throw new WireError("NOT_A_FILE", "The root of the workspace is a folder");
  const edit = { oldString: body.old_string, newString: body.new_string, all: body.replace_all ?? false, conditions };
  if (edit.oldString === "") throw new WireError("VALIDATION", "old_string is empty");
  if (edit.oldString === edit.newString) throw new WireError("VALIDATION", "old_string and new_string are equal");
  if (!edit.oldString.isWellFormed() || !edit.newString.isWellFormed()) {
    throw new WireError("VALIDATION", "old_string and new_string must be valid Unicode");
  }
  const { dir, name } = await workspace.jail.place(rel);
  await using parent = dir;
  return await locked([await lockKey(parent, name)], async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const done = await attemptEdit(workspace, parent, name, rel, edit);
      if (done !== null) return done;
    }
    throw new WireError("EDIT_CONFLICT", `${quote(rel.shown)} is being changed by somebody else`);
  });
}

/** Null when the file changed between reading and replacing it. */
async function attemptEdit(
  { digests, unfinished, maxFileBytes }: Workspace,
  dir: FileHandle,
  name: ByteName,
  rel: RelPath,
  edit: Edit,
): Promise<EditResult | null> {
  const maxBytes = Math.min(maxFileBytes, MAX_RESULT_BYTES);
  const leaf = await leafFile(dir, name, rel.shown);
  if (leaf === null) throw new WireError("NOT_FOUND", `${quote(rel.shown)} does not exist`);
  await using pin = leaf.pin;
  await checkFile(digests, leaf, rel.shown, edit.conditions);
  await using file = await openPinned(pin);
  if (leaf.stat.size > BigInt(MAX_EDIT_BYTES)) throw tooLarge(MAX_EDIT_BYTES);
  const content = await readStart(file, Number(leaf.stat.size));
  if (!isUtf8(content)) throw new WireError("UNSUPPORTED_MEDIA_TYPE", `${quote(rel.shown)} is not UTF-8 text`);
  const { result, count } = replaceText(content, edit, maxBytes);
  await using staged = await stage(dir, result, maxBytes, unfinished);
  await staged.adopt(leaf.stat);
  const now = await lstatAt(dir, name);
  if (now === null || !sameVersion(now, leaf.stat)) return null;
  await staged.commit(dir, name);
  return { replacements: count, sha: staged.sha, size: staged.size };
}
