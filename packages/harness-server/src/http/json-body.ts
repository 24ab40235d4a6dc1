import type { IncomingMessage } from "node:http";
import { setImmediate as nextTick } from "node:timers/promises";
import { type FieldError, WireError } from "@computeragent/protocol";
import type { z } from "zod";
import { refuseCoding } from "./coding.ts";
import { type Fault, MAX_DEPTH, MAX_VALUES, scanJson, scanShortJson } from "./json-scan.ts";
import { inLane } from "./lane.ts";

/** Each step of dealing with more than this takes a turn of the event loop. */
const LARGE_BYTES = 1024 * 1024;

/** Of `HostLimits`. */
interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly bodyMs: number;
}

/**
 * Reads a body. Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE for a coded one, and LIMIT_REACHED for one that does not come in
 * time. `incoming`: the request on its
 * connection, where the server has made sure that a body is as long as its header says.
 */
export async function readBody(
  request: Request,
  limits: BodyLimits,
  incoming: IncomingMessage | undefined,
): Promise<Uint8Array> {
  const onWire = incoming !== undefined;
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limits.maxBodyBytes) throw tooLarge(limits.maxBodyBytes);
  const hasBody = onWire ? declared !== null || request.headers.has("transfer-encoding") : request.body !== null;
  if (!hasBody) return new Uint8Array();
  refuseCoding(request.headers.get("content-encoding"));
  const atHand = incoming && bodyAtHand(incoming, declared);
  if (atHand) return atHand;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new WireError("LIMIT_REACHED", `a body must be there within ${limits.bodyMs} ms`));
  }, limits.bodyMs);
  try {
    const isSmall = onWire && declared !== null && Number(declared) <= LARGE_BYTES;
    const whole = isSmall ? request.arrayBuffer().then(asBytes) : readPieces(request, limits.maxBodyBytes);
    return await Promise.race([whole, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The body, where all of it came with the headers, as that of a small request does. */
function bodyAtHand(incoming: IncomingMessage, declared: string | null): Uint8Array | undefined {
  if (declared === null || incoming.readableLength === 0 || incoming.readableLength !== Number(declared))
    return undefined;
  const body = incoming.read() as Buffer;
  incoming.resume();
  return body;
}

function asBytes(buffer: ArrayBuffer): Uint8Array {
  return new Uint8Array(buffer);
}

async function readPieces(request: Request, maxBytes: number): Promise<Uint8Array> {
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
  return await (size > LARGE_BYTES ? inLane(() => Buffer.concat(chunks)) : Buffer.concat(chunks));
}

/** Parses JSON text. Throws VALIDATION for text that is no JSON, no UTF-8, nested too deeply, or of too many values. Of a key that comes twice the last counts. */
export async function parseJson(bytes: Uint8Array): Promise<unknown> {
  const text = textOf(bytes, await scanJson(bytes));
  if (bytes.length > LARGE_BYTES) await nextTick();
  return jsonOf(text);
}

/** As `parseJson`, at once, for text so short that nobody waits for it. */
export function parseShortJson(bytes: Uint8Array): unknown {
  return jsonOf(textOf(bytes, scanShortJson(bytes)));
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function textOf(bytes: Uint8Array, fault: Fault): string {
  if (fault === "deep") throw new WireError("VALIDATION", `the body is nested more than ${MAX_DEPTH} deep`);
  if (fault === "many") throw new WireError("VALIDATION", `the body has more than ${MAX_VALUES} values`);
  try {
    return utf8.decode(bytes);
  } catch {
    throw new WireError("VALIDATION", "the body is not valid UTF-8");
  }
}

function jsonOf(text: string): unknown {
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
