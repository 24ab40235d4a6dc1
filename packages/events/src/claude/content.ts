import type { JsonObject, JsonValue } from "@computeragent/protocol";
import { listOf, objectOf, textOf } from "../shape.ts";

/** The blocks of a message's content; a text alone is one block. What is no object is left out. */
export function contentBlocks(content: JsonValue | undefined): JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return listOf(content).flatMap((item) => {
    const block = objectOf(item);
    return typeof block.type === "string" ? [block] : [];
  });
}

/** The text of text blocks, one after another. */
export function textOfBlocks(blocks: readonly JsonObject[]): string {
  return blocks
    .filter(({ type }) => type === "text")
    .map(({ text }) => textOf(text))
    .join("\n");
}

/** All text of a tool's result. */
export const resultText = (content: JsonValue | undefined): string => textOfBlocks(contentBlocks(content));
