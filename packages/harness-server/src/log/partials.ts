import type { JsonObject, JsonValue, PartialText } from "@computeragent/protocol";
import type { Masker, StreamMasker } from "@computeragent/redaction";

interface Channel {
  readonly stream: StreamMasker;
  last: { payload: JsonObject; path: readonly (string | number)[] } | undefined;
}

/**
 * Masking of text that arrives in pieces. A piece keeps its message; the text in it is what may be shown by now.
 * What is held back goes out with the next piece, or, at the end of the text, in one more message of the same shape.
 */
export class PartialMasker {
  readonly #masker: Masker;
  readonly #channels = new Map<string, Channel>();

  constructor(masker: Masker) {
    this.#masker = masker;
  }

  /** The masked messages to emit in place of `payload`, in order. */
  apply(payload: JsonObject, partial: PartialText | undefined): JsonObject[] {
    if (!partial) return [this.#masker.json(payload)];
    if (!partial.path) {
      const rest = this.#end(partial.channel);
      return rest ? [rest, this.#masker.json(payload)] : [this.#masker.json(payload)];
    }
    const text = at(payload, partial.path);
    if (typeof text !== "string") return [this.#masker.json(payload)];
    const channel = this.#channel(partial.channel);
    let shown = channel.stream.push(text);
    if (partial.end) {
      shown += channel.stream.flush();
      this.#channels.delete(partial.channel);
    } else channel.last = { payload, path: partial.path };
    if (shown === text) return [this.#masker.json(payload)];
    return [replaceAt(this.#masker.json(replaceAt(payload, partial.path, "")), partial.path, shown)];
  }

  /** What is still held back when the source ended without ending its texts. */
  flush(): JsonObject[] {
    const rest: JsonObject[] = [];
    for (const name of [...this.#channels.keys()]) {
      const held = this.#end(name);
      if (held) rest.push(held);
    }
    return rest;
  }

  #channel(name: string): Channel {
    let channel = this.#channels.get(name);
    if (!channel) {
      channel = { stream: this.#masker.stream(), last: undefined };
      this.#channels.set(name, channel);
    }
    return channel;
  }

  #end(name: string): JsonObject | undefined {
    const channel = this.#channels.get(name);
    this.#channels.delete(name);
    const held = channel?.stream.flush() ?? "";
    if (!channel?.last || held === "") return undefined;
    const bare = this.#masker.json(replaceAt(channel.last.payload, channel.last.path, ""));
    return replaceAt(bare, channel.last.path, held);
  }
}

function at(value: JsonValue, path: readonly (string | number)[]): JsonValue | undefined {
  let here: JsonValue | undefined = value;
  for (const key of path) {
    if (typeof here !== "object" || here === null) return undefined;
    here = (here as Record<string | number, JsonValue>)[key];
  }
  return here;
}

/** A copy of `object` with the string at `path` replaced; everything beside the path is shared. */
function replaceAt(object: JsonObject, path: readonly (string | number)[], text: string): JsonObject {
  const replaced = replaceIn(object, path, text);
  return typeof replaced === "object" && replaced !== null && !Array.isArray(replaced) ? replaced : object;
}

function replaceIn(value: JsonValue, path: readonly (string | number)[], text: string): JsonValue {
  const [key, ...rest] = path;
  if (key === undefined) return text;
  if (Array.isArray(value)) return value.map((item, i) => (i === key ? replaceIn(item, rest, text) : item));
  if (typeof value !== "object" || value === null) return value;
  return { ...value, [key]: replaceIn(value[key] ?? null, rest, text) };
}
