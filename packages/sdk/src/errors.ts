import type { FieldError, Problem } from "@computeragent/protocol";

const MARK = Symbol.for("computeragent.client-error");

/** Why a call failed: the host answered with a problem, or it could not be reached or understood. */
export class HarnessClientError extends Error {
  readonly [MARK] = true;
  /** A wire code, or `UNREACHABLE` / `BAD_ANSWER`. */
  readonly code: string;
  readonly status: number | undefined;
  readonly problem: Problem | undefined;

  constructor(code: string, message: string, options: { status?: number; problem?: Problem; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "HarnessClientError";
    this.code = code;
    this.status = options.status;
    this.problem = options.problem;
  }

  /** True when the same call may succeed later. */
  get isRetryable(): boolean {
    return this.code === "UNREACHABLE" || this.status === 503 || this.status === 429;
  }

  /** True also across duplicate copies of this package. */
  static isInstance(value: unknown): value is HarnessClientError {
    return typeof value === "object" && value !== null && MARK in value;
  }
}

/** The error for an answer that is not a success. */
export async function errorOf(response: Response): Promise<HarnessClientError> {
  const text = await response.text().catch(() => "");
  const problem = asProblem(text);
  if (!problem) {
    const said = text.slice(0, 200).trim();
    return new HarnessClientError("BAD_ANSWER", `the host answered ${response.status}${said ? `: ${said}` : ""}`, {
      status: response.status,
    });
  }
  const errors: readonly unknown[] = Array.isArray(problem.errors) ? problem.errors : [];
  const fields = errors
    .filter(isFieldError)
    .map((e) => `${[e.file, e.pointer].filter(Boolean).join(" ") || "/"}: ${e.message}`);
  const message = [problem.detail, ...fields].join("\n  ");
  return new HarnessClientError(problem.code, message, { status: response.status, problem });
}

function isFieldError(value: unknown): value is FieldError {
  return typeof value === "object" && value !== null && "message" in value;
}

function asProblem(text: string): Problem | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("code" in value) || !("detail" in value)) return undefined;
    return typeof value.code === "string" && typeof value.detail === "string" ? (value as Problem) : undefined;
  } catch {
    return undefined;
  }
}
