/** An error answer in the shape of the Anthropic API. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** The error type that goes with an HTTP status. */
export const errorType = (status: number): string =>
  TYPES[status] ?? (status < 500 ? "invalid_request_error" : "api_error");

/** An error object, as in a body and in an `error` event of a stream. */
export const errorObject = (status: number, message: string): object => ({
  type: "error",
  error: { type: errorType(status), message },
});

/** A whole error answer. Claude Code repeats 429 and 5xx, and gives up on other 4xx. */
export function errorAnswer(status: number, message: string): ErrorAnswer {
  return {
    status,
    headers: { "content-type": "application/json", ...(status === 429 ? { "retry-after": "1" } : {}) },
    body: JSON.stringify(errorObject(status, message)),
  };
}
