import { type FieldError, WireError } from "@computeragent/protocol";
import { z } from "zod";
import { check } from "./json-body.ts";

const MAX_ERRORS = 50;
const MAX_NAME = 200;

/**
 * Reads the query of a URL by a schema; without one no field is allowed. Throws VALIDATION for percent-encoding that is not UTF-8
 * (a lenient reader would take `%FF` for the text "%FF"), and with a pointer for each field that is not known, comes twice, or is not valid.
 */
export function readQuery<T>(url: string, schema: z.ZodType<T> | undefined): T | undefined {
  const text = queryOf(url);
  try {
    decodeURIComponent(text);
  } catch {
    throw new WireError("VALIDATION", "the query is not valid percent-encoded UTF-8");
  }
  const known = schema instanceof z.ZodObject ? schema.shape : {};
  const fields = new Map<string, string>();
  const errors: FieldError[] = [];
  const complain = (name: string, message: string): void => {
    const pointer = `/${name.slice(0, MAX_NAME).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (errors.length < MAX_ERRORS) errors.push({ pointer, message });
  };
  for (const [name, value] of new URLSearchParams(text)) {
    if (!Object.hasOwn(known, name)) complain(name, "there is no such field");
    else if (fields.has(name)) complain(name, "may be given only once");
    else fields.set(name, value);
  }
  if (errors.length > 0) throw new WireError("VALIDATION", "the query is not valid", { errors });
  return schema && check(schema, Object.fromEntries(fields), "query");
}

/** What stands between the first `?` and a `#`. */
function queryOf(url: string): string {
  const start = url.indexOf("?");
  if (start < 0) return "";
  const end = url.indexOf("#", start);
  return url.slice(start + 1, end < 0 ? undefined : end);
}
