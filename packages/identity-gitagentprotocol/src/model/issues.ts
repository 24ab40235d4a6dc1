import { type FieldError, WireError } from "@computeragent/protocol";

/** One reason why an identity cannot be loaded. `rule` is the stable id of the check. */
export interface Issue {
  readonly rule: string;
  /** Path inside the identity, with `/`. */
  readonly file: string;
  /** RFC 6901 pointer into the file's data; "" is the file itself. */
  readonly pointer: string;
  readonly message: string;
}

/** So many problems are reported; an author mends them in rounds anyway. */
const MAX_REPORTED = 100;

/** The error for the wire: every problem with file and pointer, the first one also in the detail. */
export function identityInvalid(issues: readonly Issue[], cause?: unknown): WireError {
  const errors = issues
    .slice(0, MAX_REPORTED)
    .map(({ file, pointer, message }): FieldError => ({ file, pointer, message }));
  const [first] = errors;
  const where = first
    ? `${first.file}${first.pointer ? `#${first.pointer}` : ""}: ${first.message}`
    : "unknown problem";
  const detail = issues.length > 1 ? `${where} (and ${issues.length - 1} more)` : where;
  return new WireError("IDENTITY_INVALID", detail, { errors, ...(cause === undefined ? {} : { cause }) });
}
