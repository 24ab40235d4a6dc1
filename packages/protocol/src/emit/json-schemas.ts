import type { JsonObject } from "../json.ts";
import { definitions } from "./schema-source.ts";
import { refsOf } from "./tidy.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const PREFIX = "#/$defs/";

function reachable(from: JsonObject, all: Readonly<Record<string, JsonObject>>): Record<string, JsonObject> {
  const found: Record<string, JsonObject> = {};
  const open = [...refsOf(from, PREFIX)];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const definition = all[name];
    if (name in found || !definition) continue;
    found[name] = definition;
    open.push(...refsOf(definition, PREFIX));
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** JSON Schema 2020-12 of every named schema, by name. Each document stands alone. */
export function emitJsonSchemas(): Record<string, JsonObject> {
  const all = definitions((name) => PREFIX + name);
  const documents: Record<string, JsonObject> = {};
  for (const [name, schema] of Object.entries(all)) {
    const $defs = reachable(schema, all);
    const head = { $schema: DIALECT, $id: `urn:computeragent:schema:${name}`, title: name };
    documents[name] = { ...head, ...schema, ...(Object.keys($defs).length > 0 ? { $defs } : {}) };
  }
  return documents;
}
