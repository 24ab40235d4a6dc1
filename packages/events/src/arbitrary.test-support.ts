import { readdirSync, readFileSync } from "node:fs";
import type { JsonObject, JsonValue } from "@computeragent/protocol";
import fc from "fast-check";
import { createClaudeNormalizer } from "./claude/normalize-claude.ts";
import { GOLDEN } from "./golden.test-support.ts";
import type { NormalizedEvent } from "./normalized-event.ts";
import { fromWire, type RawEvent, type WireEvent } from "./raw-event.ts";

/** The events of all recordings, each recording a list. */
export const STREAMS: readonly (readonly RawEvent[])[] = readdirSync(GOLDEN).map((name) =>
  readFileSync(new URL(`${name}/events.jsonl`, GOLDEN), "utf8")
    .trim()
    .split("\n")
    .map((line) => fromWire(JSON.parse(line) as WireEvent)),
);

/** All normalised events of a stream. */
export function normalizeAll(stream: readonly RawEvent[]): NormalizedEvent[] {
  const normalizer = createClaudeNormalizer();
  return stream.flatMap((event) => [...normalizer.push(event)]);
}

/** One of the recorded streams. */
export const stream = fc.constantFrom(...STREAMS);

/** Any JSON value, with the keys that matter among its keys. */
export const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;

/** A recorded stream in which some places of some events hold something else, or nothing. */
export const damagedStream: fc.Arbitrary<readonly RawEvent[]> = fc
  .tuple(
    stream,
    fc.array(fc.tuple(fc.nat(), fc.array(fc.nat(), { maxLength: 6 }), fc.option(json)), {
      minLength: 1,
      maxLength: 12,
    }),
  )
  .map(([events, damages]) => {
    const copy: RawEvent[] = [...events];
    for (const [at, path, value] of damages) {
      const index = at % copy.length;
      const event = copy[index];
      if (event) copy[index] = { ...event, data: damage(event.data, path, value) as JsonObject };
    }
    return copy;
  });

function damage(value: JsonValue, path: readonly number[], replacement: JsonValue): JsonValue {
  const [step, ...rest] = path;
  if (typeof value !== "object" || value === null) return replacement;
  const keys = Object.keys(value);
  const key = keys[(step ?? 0) % Math.max(1, keys.length)];
  if (key === undefined) return Array.isArray(value) ? [replacement] : { [String(replacement)]: replacement };
  if (Array.isArray(value)) {
    return value.map((item, i) =>
      i === Number(key) ? (rest.length > 0 ? damage(item, rest, replacement) : replacement) : item,
    );
  }
  const inner = value[key] ?? null;
  return { ...value, [key]: rest.length > 0 ? damage(inner, rest, replacement) : replacement };
}

/** Indices of a list in order, of which any part may come again: what a reader gets who reconnects now and then. */
export function redelivered(length: number): fc.Arbitrary<number[]> {
  return fc.array(fc.tuple(fc.nat(length), fc.nat(length)), { maxLength: 8 }).map((connections) => {
    const order: number[] = [];
    let [next, known] = [0, 0];
    for (const [count, back] of [...connections, [length, 0] as const]) {
      for (const end = Math.min(length, next + count); next < end; next++) order.push(next);
      known = Math.max(known, next);
      next = Math.max(0, known - back);
    }
    for (next = known; next < length; next++) order.push(next);
    return order;
  });
}
