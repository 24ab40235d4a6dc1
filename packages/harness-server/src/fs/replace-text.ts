import { WireError } from "@computeragent/protocol";
import { tooLarge } from "./staging.ts";

const CR = 13;
const LF = 10;

/** What to replace; all strings well-formed. */
export interface Replacement {
  readonly oldString: string;
  readonly newString: string;
  readonly all: boolean;
}

/**
 * Replaces text in UTF-8 content by bytes, so BOM, line ends and everything else stay as they are.
 * Line ends given as LF alone mean the file's own when all of them are CRLF. Throws EDIT_CONFLICT when the text is missing
 * or, without `all`, not unique (overlapping places count); PAYLOAD_TOO_LARGE when the result exceeds `maxBytes`.
 */
export function replaceText(content: Buffer, edit: Replacement, maxBytes: number): { result: Buffer; count: number } {
  const crlf = !`${edit.oldString}${edit.newString}`.includes("\r") && usesCrlf(content);
  const encode = (text: string) => Buffer.from(crlf ? text.replaceAll("\n", "\r\n") : text, "utf8");
  const before = encode(edit.oldString);
  const after = encode(edit.newString);

  const step = edit.all ? before.length : 1;
  const places: number[] = [];
  for (let at = content.indexOf(before); at !== -1; at = content.indexOf(before, at + step)) places.push(at);
  if (places.length === 0) throw new WireError("EDIT_CONFLICT", "old_string is not in the file");
  if (places.length > 1 && !edit.all) {
    throw new WireError("EDIT_CONFLICT", `old_string is in the file ${places.length} times, it must be unique`);
  }

  const size = content.length + places.length * (after.length - before.length);
  if (size > maxBytes) throw tooLarge(maxBytes);
  const result = Buffer.allocUnsafe(size);
  let from = 0;
  let to = 0;
  for (const place of places) {
    to += content.copy(result, to, from, place);
    to += after.copy(result, to);
    from = place + before.length;
  }
  content.copy(result, to, from);
  return { result, count: places.length };
}

/** True when the content has line ends and each one is CRLF. */
function usesCrlf(content: Buffer): boolean {
  let at = content.indexOf(LF);
  if (at === -1) return false;
  for (; at !== -1; at = content.indexOf(LF, at + 1)) if (content[at - 1] !== CR) return false;
  return true;
}
