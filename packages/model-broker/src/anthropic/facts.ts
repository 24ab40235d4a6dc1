import type { JsonObject } from "@computeragent/protocol";
import { parseObject } from "./json.ts";

const MODEL_FIRST = /^\{"model":"([\w.:@/[\]-]{1,200})"/;

/**
 * What a call asks for: `model`, and with `all` also the rest of its body. Reads the whole body only where it must,
 * because it may be long and the engine waits.
 */
export function factsOf(body: Buffer, all: boolean): JsonObject {
  const model = all ? undefined : MODEL_FIRST.exec(body.toString("latin1", 0, 256))?.[1];
  return model === undefined ? (parseObject(body) ?? {}) : { model };
}
