import { type ErrorCode, WireError } from "@computeragent/protocol";
import { quote } from "./rel-path.ts";

const BY_ERRNO: Record<string, readonly [ErrorCode, string]> = {
  ENOENT: ["NOT_FOUND", "does not exist"],
  ESTALE: ["NOT_FOUND", "does not exist any more"],
  ENOTDIR: ["NOT_FOUND", "goes through something that is not a folder"],
  ELOOP: ["PATH_ESCAPE", "is a link"],
  EEXIST: ["NOT_EMPTY", "exists already"],
  ENOTEMPTY: ["NOT_EMPTY", "is not empty"],
  EISDIR: ["NOT_A_FILE", "is a folder"],
  ENXIO: ["NOT_A_FILE", "is not a regular file"],
  ENODEV: ["NOT_A_FILE", "is not a regular file"],
  ENAMETOOLONG: ["VALIDATION", "is too long for the file system"],
  EILSEQ: ["VALIDATION", "is not a name this file system takes"],
  EINVAL: ["VALIDATION", "is not a name this file system takes"],
  EACCES: ["FORBIDDEN", "is protected by the file system"],
  EPERM: ["FORBIDDEN", "is protected by the file system"],
  EROFS: ["FORBIDDEN", "lies on a read-only file system"],
  EBUSY: ["FORBIDDEN", "is in use by the system"],
  EFBIG: ["PAYLOAD_TOO_LARGE", "would become larger than the file system takes"],
  ENOSPC: ["LIMIT_REACHED", "cannot be written: the disk is full"],
  EDQUOT: ["LIMIT_REACHED", "cannot be written: the disk quota is used up"],
  EMFILE: ["LIMIT_REACHED", "cannot be opened: too many open files, try again"],
  ENFILE: ["LIMIT_REACHED", "cannot be opened: too many open files, try again"],
};

/** The errno name of a Node error (`ENOENT`), or undefined. */
export function errno(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** True when the error carries one of these errno names. */
export function isErrno(error: unknown, ...names: readonly string[]): boolean {
  const code = errno(error);
  return code !== undefined && names.includes(code);
}

/** Turns an error of the file system into a `WireError` that names only the caller's path; a `WireError` stays as it is. */
export function fsError(error: unknown, shown: string): WireError {
  if (WireError.isInstance(error)) return error;
  const name = errno(error) ?? "unknown";
  const [code, text] = BY_ERRNO[name] ?? (["INTERNAL", `failed in the file system (${name})`] as const);
  return new WireError(code, `${quote(shown)} ${text}`, { cause: error });
}
