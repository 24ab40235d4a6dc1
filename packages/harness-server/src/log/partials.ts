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

  /** Emits the masked messages that stand for `payload`, in order. */
  apply(payload: JsonObject, partial: PartialText, emit: (masked: JsonObject) => void): void {
    const text = partial.path && at(payload, partial.path);
    if (!partial.path || typeof text !== "string") {
      if (!partial.path || partial.end) this.#end(partial.channel, emit);
      emit(this.#masker.json(payload));
      return;
    }
    const channel = this.#channel(partial.channel);
    let shown = channel.stream.push(text);
    if (partial.end) {
      shown += channel.stream.flush();
      this.#channels.delete(partial.channel);
    } else channel.last = { payload, path: partial.path };
    const known = channel.stream.plain ? text : undefined;
    emit(shown === text ? this.#masker.json(payload, known) : this.#withText(payload, partial.path, shown));
  }

  /** Emits what is still held back when the source ended without ending its texts. */
  flush(emit: (masked: JsonObject) => void): void {
    for (const name of [...this.#channels.keys()]) this.#end(name, emit);
  }

  #channel(name: string): Channel {
    let channel = this.#channels.get(name);
    if (!channel) {
      channel = { stream: this.#masker.stream(), last: undefined };
      this.#channels.set(name, channel);
    }
    return channel;
  }

  #end(name: string, emit: (masked: JsonObject) => void): void {
    const channel = this.#channels.get(name);
    this.#channels.delete(name);
    const held = channel?.stream.flush() ?? "";
    if (channel?.last && held !== "") emit(this.#withText(channel.last.payload, channel.last.path, held));
  }

  /** The payload masked, but for the text at `path`, which is masked already. */
  #withText(payload: JsonObject, path: readonly (string | number)[], text: string): JsonObject {
    return replaceAt(this.#masker.json(replaceAt(payload, path, "")), path, text);
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
