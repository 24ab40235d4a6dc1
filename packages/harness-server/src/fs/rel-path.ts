import { WireError } from "@computeragent/protocol";

/** A file name or link text as bytes, one char (U+0000..U+00FF) per byte: names need not be UTF-8, and these compare by bytes. */
export type ByteName = string;

/** The longest path from outside, in bytes. */
export const MAX_PATH_BYTES = 4096;
const MAX_NAME_BYTES = 255;
const SHOWN_CHARS = 200;

/** A path from outside, checked: its names from the workspace root (none = the root) and the normalised text. */
export interface RelPath {
  readonly names: readonly ByteName[];
  readonly shown: string;
}

/** Quotes a caller's path for a `detail`: cut, control characters escaped. */
export function quote(path: string): string {
  return JSON.stringify(path.length > SHOWN_CHARS ? `${path.slice(0, SHOWN_CHARS)}…` : path);
}

/** The bytes of a UTF-8 text as a `ByteName`. */
export function toBytes(text: string): ByteName {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** The text of a name; bytes that are not UTF-8 become U+FFFD, which `parsePath` refuses, so such a name is seen and never addressed. */
export function toText(name: ByteName): string {
  return Buffer.from(name, "latin1").toString("utf8");
}

/**
 * Checks a path from outside. "" and "/" are the root; empty and "." segments are skipped; backslashes are ordinary.
 * Throws PATH_ESCAPE for other absolute paths, ".." and NUL; VALIDATION for what is too long or not UTF-8.
 */
export function parsePath(path: string): RelPath {
  if (path.includes("\0")) throw new WireError("PATH_ESCAPE", `${quote(path)} contains a NUL character`);
  if (!path.isWellFormed() || path.includes("\ufffd")) {
    throw new WireError("VALIDATION", `${quote(path)} is not valid UTF-8, such names cannot be addressed`);
  }
  if (path === "" || path === "/") return { names: [], shown: "" };
  if (path.startsWith("/")) throw new WireError("PATH_ESCAPE", `${quote(path)} is an absolute path`);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new WireError("VALIDATION", `The path is longer than ${MAX_PATH_BYTES} bytes`);
  }
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw new WireError("PATH_ESCAPE", `${quote(path)} contains a ".." segment`);
  const names = parts.map(toBytes);
  if (names.some((name) => name.length > MAX_NAME_BYTES)) {
    throw new WireError("VALIDATION", `A name in the path is longer than ${MAX_NAME_BYTES} bytes`);
  }
  return { names, shown: parts.join("/") };
}
