import type { JsonObject, PartialText } from "@computeragent/protocol";
import { createMasker } from "@computeragent/redaction";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PartialMasker } from "./partials.ts";

const SECRET = "correct-horse-battery-staple";
const piece = (text: string): JsonObject => ({ type: "delta", meta: { n: 1 }, event: [{ text }] });
const where = (end = false): PartialText => ({ channel: "main", path: ["event", 0, "text"], ...(end ? { end } : {}) });

/** What comes out for the pieces of one text. */
function run(pieces: readonly string[], end: "inline" | "apart" | "never"): JsonObject[] {
  const masker = new PartialMasker(createMasker({ secrets: [SECRET] }));
  const out: JsonObject[] = [];
  const emit = (masked: JsonObject): void => void out.push(masked);
  for (const [i, text] of pieces.entries()) {
    masker.apply(piece(text), where(end === "inline" && i === pieces.length - 1), emit);
  }
  if (end === "apart") masker.apply({ type: "stop" }, { channel: "main", end: true }, emit);
  masker.flush(emit);
  return out;
}

const textOf = (messages: readonly JsonObject[]) =>
  messages.flatMap((m) => (m as { event?: { text: string }[] }).event?.map(({ text }) => text) ?? []).join("");

describe("masking in pieces", () => {
  it("gives the same text however it is cut and ended", () => {
    const word = fc.constantFrom(SECRET, "correct-", "the fox ", "\n", "staple", "correct-horse-batterz");
    fc.assert(
      fc.property(fc.array(word), fc.array(fc.nat(40), { maxLength: 12 }), (words, cuts) => {
        const text = words.join("");
        const at = [...new Set(cuts.filter((cut) => cut > 0 && cut < text.length))].sort((a, b) => a - b);
        const pieces = [0, ...at].map((from, i) => text.slice(from, at[i] ?? text.length));
        for (const end of ["inline", "apart", "never"] as const) {
          expect(textOf(run(pieces, end))).toBe(textOf(run([text], "inline")));
        }
      }),
    );
  });

  it("keeps the shape, shows the rest before the end, and never changes what it was given", () => {
    const given = piece("it is correct-");
    const masker = new PartialMasker(createMasker({ secrets: [SECRET] }));
    const out: JsonObject[] = [];
    const emit = (masked: JsonObject): void => void out.push(masked);
    masker.apply(given, where(), emit);
    masker.apply({ type: "stop" }, { channel: "main", end: true }, emit);
    expect(out).toEqual([piece("it is "), piece("correct-"), { type: "stop" }]);
    expect(given).toEqual(piece("it is correct-"));
  });

  it("takes a path that leads nowhere for an ordinary message", () => {
    const masker = new PartialMasker(createMasker({ secrets: [SECRET] }));
    const out: JsonObject[] = [];
    masker.apply({ a: SECRET }, where(), (masked) => void out.push(masked));
    expect(JSON.stringify(out)).not.toContain(SECRET);
    expect(out).toHaveLength(1);
  });
});
