import type { EngineInput } from "@computeragent/protocol";

/** The texts of an input's messages, one below the other; other blocks are named. */
export function textOfInput(input: EngineInput): string {
  return input.messages
    .flatMap(({ content }) =>
      typeof content === "string"
        ? [content]
        : content.map((block) => (typeof block.text === "string" ? block.text : `[${block.type}]`)),
    )
    .join("\n");
}
