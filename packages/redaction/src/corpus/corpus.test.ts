import { describe, expect, it } from "vitest";
import { createMasker } from "../index.ts";
import { KEYS } from "./must-mask-keys.ts";
import { SHAPES } from "./must-mask-shapes.ts";
import { MUST_STAY } from "./must-stay.ts";

const masker = createMasker();
const MUST_MASK = [...KEYS, ...SHAPES];

describe("what must be masked", () => {
  it.each(MUST_MASK.map((one) => [one.kind, one.text.slice(0, 60), one] as const))("%s in %s", (_kind, _text, one) => {
    expect(one.text).toContain(one.secret);
    const masked = masker.text(one.text);
    expect(masked).not.toContain(one.secret);
    expect(masked).toContain(`[masked:${one.kind}]`);
    expect(masker.text(masked)).toBe(masked);
  });

  it.each(MUST_MASK.map((one) => [one.kind, one] as const))("%s leaves the surroundings", (_kind, one) => {
    const masked = masker.text(`before ${one.text} after`);
    expect(masked.startsWith("before ")).toBe(true);
    expect(masked.endsWith(" after")).toBe(true);
  });

  it("is large enough", () => {
    expect(MUST_MASK.length).toBeGreaterThanOrEqual(60);
    expect(MUST_STAY.length).toBeGreaterThanOrEqual(80);
  });
});

describe("what must stay", () => {
  it.each(MUST_STAY.map((text) => [text.slice(0, 60), text] as const))("%j", (_short, text) => {
    expect(masker.text(text)).toBe(text);
    expect(masker.find(text)).toEqual([]);
  });
});
