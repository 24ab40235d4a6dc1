/** The `code` of a system error, such as ENOENT. */
export function errorCode(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}

/** True when what was there a moment ago is gone or has become something else. */
export function isGone(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"].includes(errorCode(error) ?? "");
}

/** True when the system does not let us read what is there: no right to, or a file that is an interface and no content (or none now). */
export function isUnreadable(error: unknown): boolean {
  return ["EACCES", "EPERM", "EINVAL", "ESRCH", "EIO", "EAGAIN", "ENODATA", "EOPNOTSUPP", "ENODEV", "EBUSY"].includes(
    errorCode(error) ?? "",
  );
}
