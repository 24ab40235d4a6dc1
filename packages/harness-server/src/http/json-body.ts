import { type FieldError, WireError } from "@computeragent/protocol";
import type { z } from "zod";

/** Nesting beyond this is refused before anything walks the value. */
const MAX_DEPTH = 128;

/**
 * Reads a body of at most `maxBytes`. Throws PAYLOAD_TOO_LARGE. `onWire`: the server has made sure that a body is as
 * long as its header says.
 */
export async function readBody(request: Request, maxBytes: number, onWire: boolean): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > maxBytes) throw tooLarge(maxBytes);
  if (onWire && declared !== null) return new Uint8Array(await request.arrayBuffer());
  if (onWire && !request.headers.has("transfer-encoding")) return new Uint8Array();
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    // The reader is not cancelled: that would cut the connection before the answer.
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(next.value);
  }
  return Buffer.concat(chunks);
}

/** Parses JSON text. Throws VALIDATION for text that is no JSON, no UTF-8, or nested too deeply. */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new WireError("VALIDATION", "the body is not valid UTF-8");
  }
  if (depthOf(text) > MAX_DEPTH) throw new WireError("VALIDATION", `the body is nested more than ${MAX_DEPTH} deep`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WireError(
      "VALIDATION",
      `the body is not valid JSON: ${error instanceof Error ? error.message : "unreadable"}`,
    );
  }
}

/** Checks a value by a schema. Throws VALIDATION with a pointer for each issue. */
export function check<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new WireError("VALIDATION", `the ${what} is not valid`, { errors: fieldErrors(result.error) });
}

/** So many complaints are told; an answer must not grow with what was sent. */
const MAX_ERRORS = 50;
/** Characters of a name that are repeated in a pointer. */
const MAX_NAME = 200;

/** The places of a schema's complaints as RFC 6901 pointers below `base`, 50 at the most. */
export function fieldErrors(error: z.ZodError, base = ""): FieldError[] {
  return error.issues
    .slice(0, MAX_ERRORS)
    .flatMap((issue) => {
      const names = issue.code === "unrecognized_keys" ? issue.keys.slice(0, MAX_ERRORS) : [undefined];
      return names.map((name) => ({
        pointer:
          base +
          [...issue.path, ...(name === undefined ? [] : [name])]
            .map((part) => `/${escapePointer(String(part).slice(0, MAX_NAME))}`)
            .join(""),
        message: name === undefined ? issue.message.slice(0, 10 * MAX_NAME) : "there is no such field",
      }));
    })
    .slice(0, MAX_ERRORS);
}

function escapePointer(part: string): string {
  return part.replaceAll("~", "~0").replaceAll("/", "~1");
}

function tooLarge(maxBytes: number): WireError {
  return new WireError("PAYLOAD_TOO_LARGE", `a body may have ${maxBytes} bytes at the most`);
}

/** Deepest nesting of brackets outside strings, counted without recursion. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 92) i++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) deepest = Math.max(deepest, ++depth);
    else if (code === 125 || code === 93) depth--;
  }
  return deepest;
}
