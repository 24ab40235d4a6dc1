import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mixed } from "./corpus/synthetic.ts";
import { createMasker } from "./index.ts";

const encode = (text: string): string => Buffer.from(text).toString("base64");

describe("a session's own values", () => {
  const secret = 'Zx9"q\\w/е+7';
  const masker = createMasker({ secrets: [secret, "  padded-value\n", "short"] });

  it.each([
    ["raw", secret],
    ["JSON-escaped", JSON.stringify(secret)],
    ["JSON-escaped twice", JSON.stringify(JSON.stringify({ a: secret }))],
    ["URL-encoded", `?q=${encodeURIComponent(secret)}&r=1`],
    ["base64", encode(secret)],
    ["base64 after one byte", encode(`u${secret}v`)],
    ["base64 after two bytes", encode(`u:${secret}`)],
    ["base64url", Buffer.from(`??>${secret}`).toString("base64url")],
  ])("%s", (_name, text) => {
    const masked = masker.text(`<${text}>`);
    expect(masked).toContain("[masked:session-value]");
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), encode(secret)])
      expect(masked).not.toContain(form);
  });

  it("trims values and leaves short ones alone", () => {
    expect(masker.text("a padded-value b short")).toBe("a [masked:session-value] b short");
  });

  it("masks any value in any surroundings", () => {
    const value = fc.string({ minLength: 8, maxLength: 400, unit: "grapheme" }).filter((text) => {
      const trimmed = text.trim();
      return trimmed.length >= 8 && !trimmed.includes("[") && !trimmed.includes("]");
    });
    fc.assert(
      fc.property(value, fc.string(), fc.string(), (secret, left, right) => {
        fc.pre(!left.includes("[") && !right.includes("["));
        const one = createMasker({ secrets: [secret] });
        expect(one.text(left + secret.trim() + right)).not.toContain(secret.trim());
        expect(one.text(encode(left + secret.trim() + right))).not.toContain(encode(secret.trim()).slice(0, -4));
      }),
      { numRuns: 1000 },
    );
  });

  it("takes a value that continues another one whole", () => {
    const nested = createMasker({ secrets: ["abcdefgh", "abcdefghijkl"] });
    expect(nested.text("abcdefghijkl.abcdefghi!")).toBe("[masked:session-value].[masked:session-value]!");
  });

  it("is not cut short by a shape around it", () => {
    const odd = createMasker({ secrets: ["tok/en$with%odd#chars1234"] });
    expect(odd.text("Bearer tok/en$with%odd#chars1234")).toBe("Bearer [masked:session-value]");
    expect(odd.text("https://u:tok/en$with%odd#chars1234@h/")).toBe("https://u:[masked:session-value]@h/");
  });

  it("does not let a made-up marker hide a secret", () => {
    const word = createMasker({ secrets: ["lowercase-secret"] });
    expect(word.text("[masked:lowercase-secret]")).toBe("[masked:[masked:session-value]]");
  });

  it("survives values made of markers", () => {
    const odd = createMasker({ secrets: ["session-value", "masked:jwt", "abcdefgh[", "[masked:jwt]x"] });
    for (const text of ["[masked:jwt]", "session-value", "abcdefgh[", "[masked:session-value]", "[masked:jwt]x"])
      expect(odd.text(odd.text(text))).toBe(odd.text(text));
  });
});

describe("json", () => {
  const masker = createMasker();
  const key = `ghp_${mixed(36)}`;

  it("returns the same reference when nothing changes", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const value: unknown = JSON.parse(json);
        expect(masker.json(value)).toBe(value);
      }),
    );
  });

  it("masks leaves, keeps keys, order, unknown fields and untouched branches", () => {
    const value = { b: [1, `x ${key}`, { deep: key }], [key]: true, same: { n: null }, a: "ok" };
    const masked = masker.json(value);
    expect(masked).toEqual({
      b: [1, "x [masked:github-token]", { deep: "[masked:github-token]" }],
      [key]: true,
      same: { n: null },
      a: "ok",
    });
    expect(Object.keys(masked)).toEqual(Object.keys(value));
    expect(masked.same).toBe(value.same);
    expect(value.a).toBe("ok");
    expect(value.b[1]).toContain(key);
  });

  it("keeps a key named __proto__ as data", () => {
    const value: unknown = JSON.parse(`{"__proto__":{"t":"${key}"},"x":1}`);
    expect(JSON.stringify(masker.json(value))).toBe('{"__proto__":{"t":"[masked:github-token]"},"x":1}');
  });
});

describe("find", () => {
  it("says what is where", () => {
    const key = `npm_${mixed(36)}`;
    const text = `a ${key} b postgres://u:pw@h c`;
    const found = createMasker().find(text);
    expect(found.map((one) => [one.kind, text.slice(one.start, one.end)])).toEqual([
      ["npm-token", key],
      ["connection-string", "pw"],
    ]);
  });
});

describe("large and hostile input", () => {
  const MB = 1 << 20;
  const masker = createMasker({ secrets: ["aaaaaaaaab", "own-value-12345"] });
  const seeds = [
    "a",
    "://",
    "://a:",
    "eyJ",
    "eyJ-",
    ".eyJ",
    "-----BEGIN ",
    "sk-",
    "sk-ant-",
    "Bearer ",
    " ",
    "[masked:",
  ];
  const more = [
    "ghp_",
    "AKIA",
    "-",
    "\\",
    "\\n",
    "0",
    "=",
    "authorization: basic ",
    "own-value-1234",
    `sk-ant-${mixed(30)} `,
  ];
  it.each([...seeds, ...more])("2 MB of %j", (seed) => {
    const input = seed.repeat(Math.ceil((2 * MB) / seed.length));
    const masked = masker.text(input);
    expect(masked.length).toBeLessThanOrEqual(input.length * 2);
    const part = input.slice(0, MB / 4);
    const stream = masker.stream();
    let out = "";
    for (let i = 0; i < part.length; i += 4096) out += stream.push(part.slice(i, i + 4096));
    expect(out + stream.flush()).toBe(masker.text(part));
  });

  it("2 MB of one key", () => {
    const armour = "-".repeat(5);
    const input = `${armour}BEGIN PRIVATE KEY${armour}\n${`${mixed(64)}\n`.repeat(32_000)}`;
    expect(masker.text(input)).toBe("[masked:pem-private-key]\n");
  });
});
