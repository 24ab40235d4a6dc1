import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryOf } from "../arbitrary.test-support.ts";
import { parseEvent, ROUTES } from "../index.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { emitFiles } from "./files.ts";
import { emitJsonSchemas } from "./json-schemas.ts";
import { emitOpenApi } from "./open-api.ts";
import { NAMED_SCHEMAS } from "./schema-source.ts";
import { isObject } from "./tidy.ts";

const GENERATED = join(dirname(fileURLToPath(import.meta.url)), "../../generated");
const compiler = () => new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true, strictRequired: false });

const schemas = emitJsonSchemas();

function* refs(value: JsonValue): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* refs(item);
  else if (isObject(value)) {
    if (typeof value.$ref === "string") yield value.$ref;
    for (const item of Object.values(value)) yield* refs(item);
  }
}

function resolvePointer(document: JsonObject, ref: string): JsonValue | undefined {
  let at: JsonValue | undefined = document;
  for (const part of ref.replace(/^#\//, "").split("/")) at = isObject(at) ? at[part] : undefined;
  return at;
}

describe("generated files", () => {
  it("are up to date: run `pnpm generate` in packages/protocol if not", () => {
    const files = emitFiles();
    const present = readdirSync(GENERATED, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(GENERATED.length + 1));
    expect(present.sort()).toEqual([...files.keys()].sort());
    for (const [path, text] of files) expect(readFileSync(join(GENERATED, path), "utf8"), path).toBe(text);
  });
});

describe("JSON Schemas", () => {
  const documents = Object.entries(schemas);

  it.each(documents)("%s is valid JSON Schema 2020-12 and stands alone", (_name, document) => {
    expect(document.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(() => compiler().compile(document)).not.toThrow();
    for (const ref of refs(document)) expect(resolvePointer(document, ref), ref).toBeDefined();
  });

  it.each([...NAMED_SCHEMAS])("%s says the same as the schema it comes from", (name, schema) => {
    const validate = compiler().compile(schemas[name] ?? {});
    fc.assert(
      fc.property(arbitraryOf(schema), fc.jsonValue(), (good, any) => {
        expect(validate(good), JSON.stringify(validate.errors)).toBe(true);
        expect(validate(any)).toBe(schema.safeParse(any).success);
        const extended = isObject(good as JsonValue) ? { ...(good as JsonObject), unknownField: 1 } : good;
        expect(validate(extended)).toBe(schema.safeParse(extended).success);
      }),
      { numRuns: 40 },
    );
  });

  it("HarnessEvent takes what parseEvent takes", () => {
    const validate = compiler().compile(schemas.HarnessEvent ?? {});
    const good = { id: 0, type: "ca_turn_started", data: { turnId: "t", messageIds: [] } };
    for (const event of [good, { ...good, id: -1 }, { ...good, type: "x" }, { ...good, data: {} }]) {
      expect(validate(event)).toBe(parseEvent(event.id, event.type, event.data).success);
    }
  });
});

describe("OpenAPI", () => {
  const document = emitOpenApi();
  const paths = document.paths as Record<string, Record<string, JsonObject>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

  it("has every route, once", () => {
    const found = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`).sort();
    const wanted = Object.values(ROUTES).map((r) => `${r.method} ${r.path.replace(/:(\w+)/g, "{$1}")}`);
    expect(found).toEqual(wanted.sort());
    expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(Object.keys(ROUTES).sort());
  });

  it("resolves every reference, and every schema is valid", () => {
    const all = [...refs(document)];
    expect(all.length).toBeGreaterThan(100);
    for (const ref of new Set(all)) expect(resolvePointer(document, ref), ref).toBeDefined();
    const ajv = compiler();
    const components = (document.components as { schemas: Record<string, JsonObject> }).schemas;
    for (const [name, schema] of Object.entries(components)) expect(ajv.validateSchema(schema), name).toBe(true);
    for (const { operation } of operations) {
      for (const parameter of operation.parameters as JsonObject[]) {
        expect(ajv.validateSchema(parameter.schema as JsonObject)).toBe(true);
      }
    }
  });

  it.each(operations)("$method $path is well formed", ({ path, operation }) => {
    const parameters = operation.parameters as JsonObject[];
    const inPath = parameters.filter((p) => p.in === "path").map((p) => p.name);
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    expect(parameters.filter((p) => p.in === "path").every((p) => p.required === true)).toBe(true);
    const responses = operation.responses as Record<string, JsonObject>;
    for (const [status, response] of Object.entries(responses)) {
      expect(status).toMatch(/^([1-5]\d\d|default)$/);
      expect(typeof response.$ref === "string" || typeof response.description === "string").toBe(true);
    }
    expect(operation.security).toContainEqual({ bearer: [] });
  });

  it("documents the events of a stream and the query of a tree", () => {
    const events = JSON.stringify(paths["/v1/sessions/{sessionId}/events"]);
    for (const name of ["ca_session_ended", "ca_replay_gap", "Last-Event-ID", "after"]) expect(events).toContain(name);
    expect(JSON.stringify(paths["/v1/sessions/{sessionId}/fs/tree"])).toContain('"depth"');
  });
});
