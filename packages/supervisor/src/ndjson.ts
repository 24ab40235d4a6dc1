import { createLineSplitter, type Line } from "./lines.ts";

/**
 * `value`: a line of JSON. `text`: a line that is not JSON (a banner, an escape code): a diagnostic, the stream goes on.
 * `tail` and `too-long` as in {@link Line}; a tail is never parsed, because half a number is a number too.
 */
export type NdjsonItem =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "text"; readonly text: string }
  | Exclude<Line, { kind: "line" }>;

/** Cuts a byte stream into JSON values. */
export interface NdjsonReader {
  /** What this chunk completes, in order. Blank lines count for nothing. */
  push(chunk: Uint8Array): readonly NdjsonItem[];
  /** Call once at the end of the stream. */
  end(): NdjsonItem | undefined;
}

/** Reader of newline-delimited JSON. `maxBytes` bounds one line. */
export function createNdjsonReader(options: { readonly maxBytes: number }): NdjsonReader {
  const splitter = createLineSplitter(options);
  return {
    push: (chunk) => splitter.push(chunk).flatMap((line) => toItem(line) ?? []),
    end: () => {
      const line = splitter.end();
      return line && toItem(line);
    },
  };
}

function toItem(line: Line): NdjsonItem | undefined {
  if (line.kind !== "line") return line;
  if (line.text.trim() === "") return undefined;
  try {
    return { kind: "value", value: JSON.parse(line.text) };
  } catch {
    return { kind: "text", text: line.text };
  }
}
