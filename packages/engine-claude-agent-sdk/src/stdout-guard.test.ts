import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StdoutGuard } from "./stdout-guard.ts";

/** What comes out when these chunks go in, and what was told meanwhile. */
async function through(chunks: readonly Uint8Array[], maxLineBytes = 1000) {
  const foreign: string[] = [];
  let tooLong = 0;
  const guard = new StdoutGuard({ maxLineBytes, foreign: (text) => foreign.push(text), tooLong: () => tooLong++ });
  const out: Buffer[] = [];
  guard.on("data", (chunk: Buffer) => out.push(chunk));
  for (const chunk of chunks) guard.write(chunk);
  guard.end();
  await new Promise((resolve) => guard.once("end", resolve));
  return { text: Buffer.concat(out).toString(), foreign, tooLong };
}

const bytes = (text: string) => [...Buffer.from(text)].map((byte) => Buffer.of(byte));

describe("the guard of stdout", () => {
  it("passes lines on as they are, the last one also without its end", async () => {
    expect((await through([Buffer.from('{"a":1}\n{"b":2}\n'), Buffer.from('  {"c":3}')])).text).toBe(
      '{"a":1}\n{"b":2}\n  {"c":3}\n',
    );
    expect(await through([])).toEqual({ text: "", foreign: [], tooLong: 0 });
  });

  it("escapes what would split a line, and nothing like it", async () => {
    const odd = '{"a":"x\u2028\u2028y\u2029","dash":"\u2014\u2027\u202a\u00e2"}\n';
    for (const chunks of [[Buffer.from(odd)], bytes(odd)]) {
      const { text } = await through(chunks);
      expect(text).toBe(odd.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029"));
      expect(JSON.parse(text)).toEqual(JSON.parse(odd));
    }
  });

  it("leaves out and tells what is no object", async () => {
    const lines = ["Welcome!", "\u001b[2J", "", "  \r", "null", "[1]", '"x"', '{"a":1}', "x".repeat(900)];
    const { text, foreign } = await through([Buffer.from(lines.join("\n"))]);
    expect(text).toBe('{"a":1}\n');
    expect(foreign).toEqual(["Welcome!", "null", "[1]", '"x"', "x".repeat(400)]);
  });

  it.each([
    ["alone", "{oops} starting", "", ["{oops} starting"]],
    ["cut off", '{"type": "assis', "", ['{"type": "assis']],
    ["that closes", '{"broken": }', "", ['{"broken": }']],
    ["behind a text", 'Loading... {"type":"a"}', '{"type":"a"}\n', ["Loading..."]],
    ["behind something like it", 'a {"b": {x} {"type":"a","b":{}}', '{"type":"a","b":{}}\n', ['a {"b": {x}']],
    ["behind a sequence", '\u001b[?25h{"type":"a"}', '{"type":"a"}\n', []],
    ["with a title around it", '\u001b]0;title\u0007{"type":"a"}\u001b[0m', '{"type":"a"}\n', []],
    ["without a type, behind a text", 'INFO {"a":1}', "", ['INFO {"a":1}']],
    ["without a type, alone", '{"a":1}', '{"a":1}\n', []],
  ])("finds a message %s", async (_where, line, expected, told) => {
    for (const chunks of [[Buffer.from(`${line}\n`)], bytes(`${line}\n`)]) {
      expect(await through(chunks)).toEqual({ text: expected, foreign: told, tooLong: 0 });
    }
  });

  it.each([
    ["at once", (line: string) => [Buffer.from(line)]],
    ["in pieces", bytes],
  ])("passes nothing on after a line that is too long, %s, and says so once", async (_how, cut) => {
    const long = `{"a":"${"x".repeat(100)}"}\n`;
    const before = '{"first":1}\n';
    expect(await through([Buffer.from(before), ...cut(long + before + long)], 100)).toEqual({
      text: before,
      foreign: [],
      tooLong: 1,
    });
    expect((await through(cut(long), long.length)).text).toBe(long);
  });

  it("gives the same lines however they are cut", async () => {
    const line = fc.oneof(
      fc.jsonValue().map((value) => JSON.stringify({ value })),
      fc.string({ unit: "binary" }).map((text) => JSON.stringify({ text })),
      fc.constantFrom("", "banner", "\u2028", '{"x":"\u2029"}'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.array(fc.nat(40)), async (lines, cuts) => {
        const whole = Buffer.from(lines.map((text) => `${text}\n`).join(""));
        const chunks: Buffer[] = [];
        for (let at = 0, n = 0; at < whole.length; n++) {
          const size = (cuts[n % Math.max(1, cuts.length)] ?? 7) + 1;
          chunks.push(whole.subarray(at, at + size));
          at += size;
        }
        const objects = lines.filter((text) => text.startsWith("{"));
        const { text } = await through(chunks, 1_000_000);
        const out = text.split("\n").slice(0, -1);
        expect(out.map((part) => JSON.parse(part))).toEqual(objects.map((part) => JSON.parse(part)));
      }),
      { numRuns: 200 },
    );
  });

  it("takes nothing while it is held", async () => {
    const guard = new StdoutGuard({ maxLineBytes: 1000, foreign: () => {}, tooLong: () => {} });
    let out = "";
    guard.on("data", (chunk: Buffer) => {
      out += chunk.toString();
    });
    const release = guard.hold();
    for (let n = 0; n < 5; n++) guard.write(`{"n":${n}}\n`);
    for (let n = 0; n < 5; n++) await setImmediate();
    expect(out).toBe('{"n":0}\n');
    release();
    release();
    for (let n = 0; n < 5; n++) await setImmediate();
    expect(out.split("\n")).toHaveLength(6);
  });
});
