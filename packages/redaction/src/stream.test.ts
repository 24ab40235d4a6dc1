import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KEYS } from "./corpus/must-mask-keys.ts";
import { SHAPES } from "./corpus/must-mask-shapes.ts";
import { MUST_STAY } from "./corpus/must-stay.ts";
import { mixed } from "./corpus/synthetic.ts";
import { createMasker, type Masker } from "./index.ts";

const own = [
  "correct horse battery",
  'quo"te\\d\nvalue',
  "p@ss/w0rd:x",
  `long-${mixed(300)}`,
  "sk-ant-own1",
  "пароль-тайный",
];
const encode = (text: string): string => Buffer.from(text).toString("base64");
const ownForms = own.flatMap((value) => [
  value,
  JSON.stringify(value),
  encodeURIComponent(value),
  encode(value),
  encode(`u:${value}`),
  value.slice(0, 7),
  value.slice(0, 120),
]);
const glue = [
  " ",
  "\n",
  "\\n",
  '"',
  "=",
  ":",
  "-",
  "a",
  "[",
  "]",
  "@",
  "\u001b[1m",
  "%3D",
  "://",
  "u:",
  "é",
  "😀",
  "[masked:",
];
const whole = [...KEYS, ...SHAPES].map((one) => one.text);
const cut = whole.flatMap((text) => [text.slice(0, 12), text.slice(0, 40), text.slice(-30)]);
const piece = fc.oneof(
  fc.constantFrom(...whole),
  fc.constantFrom(...cut),
  fc.constantFrom(...MUST_STAY),
  fc.constantFrom(...ownForms),
  fc.constantFrom(...glue),
  fc.string({ maxLength: 12 }),
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
const cuts = fc.array(fc.nat(400), { maxLength: 60 });

function chunks(input: string, sizes: readonly number[]): string[] {
  const out: string[] = [];
  let at = 0;
  for (const size of sizes) {
    out.push(input.slice(at, at + (size % 37)));
    at += size % 37;
  }
  out.push(input.slice(at));
  return out;
}

function streamed(masker: Masker, pieces: readonly string[]): string {
  const stream = masker.stream();
  let given = "";
  let out = "";
  for (const one of pieces) {
    given += one;
    out += stream.push(one);
    const masked = masker.text(given);
    const held = heldBack(masked, out);
    expect(Buffer.byteLength(held)).toBeLessThanOrEqual(256);
  }
  return out + stream.flush();
}

/** What masking all input so far shows beyond `out`; a marker that has been decided may differ at the very end. */
function heldBack(masked: string, out: string): string {
  let i = 0;
  while (i < out.length && out[i] === masked[i]) i++;
  return masked.slice(i);
}

const maskers: [string, Masker][] = [
  ["shapes only", createMasker()],
  ["with own values", createMasker({ secrets: own })],
];

describe.each(maskers)("streaming, %s", (_name, masker) => {
  it("gives what masking the whole gives, for every chunking", () => {
    fc.assert(
      fc.property(text, cuts, (input, sizes) => {
        expect(streamed(masker, chunks(input, sizes))).toBe(masker.text(input));
      }),
      { numRuns: 1500 },
    );
  });

  it("gives the same one UTF-16 unit at a time", () => {
    for (const input of [...whole, ...ownForms, ...MUST_STAY]) {
      expect(streamed(masker, input.split(""))).toBe(masker.text(input));
    }
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(text, (input) => {
        const masked = masker.text(input);
        expect(masker.text(masked)).toBe(masked);
      }),
      { numRuns: 3000 },
    );
  });
});

describe("holding back", () => {
  it("lets ordinary prose through at once", () => {
    const stream = createMasker({ secrets: ["zq-the-secret-value"] }).stream();
    for (const word of "It streams word by word, and nothing waits: not code(), not paths/like/this. ".split(
      /(?<= )/,
    )) {
      expect(stream.push(word)).toBe(word);
    }
    expect(stream.flush()).toBe("");
  });

  it("waits while a beginning may grow, and gives it back when it does not", () => {
    const stream = createMasker().stream();
    expect(stream.push("key: sk-an")).toBe("key: ");
    expect(stream.push("other thing")).toBe("sk-another thing");
    expect(stream.push("end sk-")).toBe("end ");
    expect(stream.flush()).toBe("sk-");
  });

  it("decides early and swallows the rest of a secret", () => {
    const stream = createMasker().stream();
    expect(stream.push(`x ghp_${mixed(30)}`)).toBe("x [masked:github-token]");
    expect(stream.push(mixed(6))).toBe("");
    expect(stream.push(" !")).toBe(" !");
    expect(stream.flush()).toBe("");
  });

  it("starts anew after a flush", () => {
    const stream = createMasker().stream();
    stream.push(`ghp_${mixed(36)}`);
    stream.flush();
    expect(stream.push("abc ")).toBe("abc ");
  });
});
