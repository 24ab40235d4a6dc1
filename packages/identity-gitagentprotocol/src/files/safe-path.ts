/** Longest name of one file and longest path, in bytes, as Linux has them. */
const MAX_NAME = 255;
const MAX_PATH = 4096;
/** Folders nest no deeper than this. */
export const MAX_DEPTH = 64;

/** Why a path given from outside is refused. `escape`: it would leave the folder it is relative to. */
export interface PathRefusal {
  readonly kind: "escape" | "invalid";
  readonly reason: string;
}

/** Checks a relative path with `/` between names, by its spelling alone. Returns its names, or why it is refused. */
export function checkRelativePath(path: string): readonly string[] | PathRefusal {
  if (path.startsWith("/")) return { kind: "escape", reason: "must not be absolute" };
  if (/^[A-Za-z]:/.test(path)) return { kind: "escape", reason: "must not begin with a drive letter" };
  if (path.includes("\\")) return { kind: "invalid", reason: "must not hold a backslash" };
  if (hasControlCharacter(path)) return { kind: "invalid", reason: "must not hold control characters" };
  if (!path.isWellFormed()) return { kind: "invalid", reason: "must be valid Unicode" };
  if (Buffer.byteLength(path) > MAX_PATH) return { kind: "invalid", reason: `is longer than ${MAX_PATH} bytes` };
  const names = path.split("/");
  if (names.length > MAX_DEPTH) return { kind: "invalid", reason: `is deeper than ${MAX_DEPTH} folders` };
  for (const name of names) {
    if (name === "..") return { kind: "escape", reason: 'must not hold ".."' };
    if (name === "" || name === ".") return { kind: "invalid", reason: "must not hold empty names" };
    if (/^\.git$/i.test(name)) return { kind: "invalid", reason: 'must not hold a name ".git"' };
    if (Buffer.byteLength(name) > MAX_NAME) return { kind: "invalid", reason: "holds a name that is too long" };
  }
  return names;
}

/** True for NUL, line breaks, escapes, DEL and the C1 controls. */
export function hasControlCharacter(text: string): boolean {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
  }
  return false;
}
