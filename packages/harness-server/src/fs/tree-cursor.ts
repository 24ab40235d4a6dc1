import { WireError } from "@computeragent/protocol";
import type { ByteName } from "./rel-path.ts";

/** The cursor after an entry: the names on the way to it from the listed folder, opaque to callers. */
export function encodeCursor(names: readonly ByteName[]): string {
  return Buffer.from(names.join("/"), "latin1").toString("base64url");
}

/** Reads a cursor. It only says where to go on among what is listed anyway; nothing is opened by it. Throws VALIDATION. */
export function decodeCursor(cursor: string): readonly ByteName[] {
  const bytes = Buffer.from(cursor, "base64url");
  const names = bytes.toString("latin1").split("/");
  if (bytes.toString("base64url") !== cursor || names.some((name) => name === "" || name.includes("\0"))) {
    throw new WireError("VALIDATION", "The cursor is not valid");
  }
  return names;
}
