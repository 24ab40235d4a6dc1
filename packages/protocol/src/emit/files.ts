import { emitJsonSchemas } from "./json-schemas.ts";
import { emitOpenApi } from "./open-api.ts";

const text = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

/** Everything that `generated/` holds: text by path. */
export function emitFiles(): Map<string, string> {
  const files = Object.entries(emitJsonSchemas()).map(
    ([name, schema]) => [`schemas/${name}.json`, text(schema)] as const,
  );
  return new Map([["openapi.json", text(emitOpenApi())], ...files]);
}
