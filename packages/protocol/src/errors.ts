import { z } from "zod";

/** Every stable error code of the wire with its HTTP status and title. */
export const ERROR_CODES = {
  VALIDATION: { status: 400, title: "The request is not valid" },
  OPTION_NOT_ALLOWED: { status: 400, title: "An option may not be set by a caller" },
  UNKNOWN_ENGINE: { status: 400, title: "No such engine" },
  UNKNOWN_LOADER: { status: 400, title: "No such identity loader" },
  UNKNOWN_STORE: { status: 400, title: "No such session store" },
  UNKNOWN_ROUTE: { status: 400, title: "No such model route" },
  PATH_ESCAPE: { status: 400, title: "The path leaves the workspace" },
  IDENTITY_INVALID: { status: 400, title: "The agent identity is not valid" },
  SOURCE_UNREACHABLE: { status: 400, title: "The identity source cannot be fetched" },
  UNAUTHORIZED: { status: 401, title: "A credential is required" },
  HOST_NOT_ALLOWED: { status: 403, title: "The Host header is not allowed" },
  ORIGIN_NOT_ALLOWED: { status: 403, title: "The Origin header is not allowed" },
  CSRF: { status: 403, title: "The request carries no valid CSRF token" },
  FORBIDDEN: { status: 403, title: "The credential does not allow this" },
  WORKSPACE_NOT_ALLOWED: { status: 403, title: "The operator does not allow this workspace" },
  NOT_FOUND: { status: 404, title: "Not found" },
  METHOD_NOT_ALLOWED: { status: 405, title: "The method is not allowed here" },
  SESSION_EXISTS: { status: 409, title: "A session with this id exists" },
  PERMISSION_RESOLVED: { status: 409, title: "The permission was already answered otherwise" },
  IDEMPOTENCY_CONFLICT: { status: 409, title: "The idempotency key was used with another body" },
  IDEMPOTENCY_IN_PROGRESS: { status: 409, title: "The first request with this idempotency key is still running" },
  EDIT_CONFLICT: { status: 409, title: "The text to replace is missing or not unique" },
  NOT_A_FILE: { status: 409, title: "The path is not a regular file" },
  NOT_EMPTY: { status: 409, title: "The folder is not empty" },
  UNSUPPORTED_CAPABILITY: { status: 409, title: "The engine does not support this" },
  ADMISSION_REFUSED: { status: 409, title: "The engine is not admitted" },
  SESSION_ENDED: { status: 410, title: "The session has ended" },
  PERMISSION_EXPIRED: { status: 410, title: "The permission request is no longer open" },
  PRECONDITION_FAILED: { status: 412, title: "The file has changed" },
  PAYLOAD_TOO_LARGE: { status: 413, title: "The body is too large" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: "The media type is not supported" },
  RANGE_NOT_SATISFIABLE: { status: 416, title: "The range cannot be served" },
  PRECONDITION_REQUIRED: { status: 428, title: "A precondition is required" },
  LIMIT_REACHED: { status: 429, title: "A limit is reached" },
  INTERNAL: { status: 500, title: "Internal error" },
  DRAINING: { status: 503, title: "The host is shutting down" },
  ENGINE_UNAVAILABLE: { status: 503, title: "The engine cannot be started" },
  OWNER_LOST: { status: 503, title: "The owner of the session is lost" },
} as const satisfies Record<string, { status: number; title: string }>;

/** One of the stable error codes. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The codes as a non-empty tuple, for zod. */
export const ERROR_CODE_NAMES = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

/** One offending place of a request body: an RFC 6901 pointer (or a file with a pointer) and what is wrong there. */
export const FieldError = z
  .object({ pointer: z.string(), message: z.string(), file: z.string().optional() })
  .meta({ id: "FieldError" });
export type FieldError = z.infer<typeof FieldError>;

/** RFC 9457 body of every error answer (`application/problem+json`). */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.enum(ERROR_CODE_NAMES),
    errors: z.array(FieldError).optional(),
    /** The answer that stands, with `PERMISSION_RESOLVED`. */
    resolution: z.looseObject({ decision: z.string() }).optional(),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof Problem>;

/** How an engine error may be treated: try again, wait until a time, or give up. */
export const ErrorClass = z.enum(["transient", "limited", "permanent"]).meta({ id: "ErrorClass" });
export type ErrorClass = z.infer<typeof ErrorClass>;

const MARK = Symbol.for("computeragent.wire-error");

/** An error with a stable code that crosses the wire as a `Problem`. `detail` is read by callers: no internal paths, tokens or URLs with credentials. */
export class WireError extends Error {
  readonly [MARK] = true;
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly extra: Partial<Problem> | undefined;

  constructor(
    code: ErrorCode,
    detail: string,
    options: { errors?: readonly FieldError[]; cause?: unknown; extra?: Partial<Problem> } = {},
  ) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "WireError";
    this.code = code;
    this.errors = options.errors;
    this.extra = options.extra;
  }

  get status(): number {
    return ERROR_CODES[this.code].status;
  }

  /** The body for the wire. */
  toProblem(): Problem {
    const { status, title } = ERROR_CODES[this.code];
    return {
      type: `urn:computeragent:error:${this.code.toLowerCase().replaceAll("_", "-")}`,
      title,
      status,
      detail: this.message,
      code: this.code,
      ...(this.errors ? { errors: [...this.errors] } : {}),
      ...this.extra,
    };
  }

  /** True also across duplicate copies of this package. */
  static isInstance(value: unknown): value is WireError {
    return typeof value === "object" && value !== null && MARK in value;
  }
}
