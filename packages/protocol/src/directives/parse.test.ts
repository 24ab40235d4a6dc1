import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DirectiveStep, parseDirectives } from "./index.ts";

const one = (line: string): DirectiveStep | undefined => parseDirectives(line)?.[0];

describe("parseDirectives", () => {
  it("reads every directive", () => {
    expect(
      parseDirectives(
        [
          "please:",
          "!think first\\nsecond",
          "!bash echo '\\n' && ls",
          "!read a b.txt",
          '!read "c d.txt"',
          "!write a.txt one\\ntwo\\\\n",
          "!write 'my file' x",
          "!write empty.txt",
          "!edit a.txt one => 1 => 2",
          "!edit a.txt gone =>",
          '!tool Agent {"prompt":"!say in\\n!say side"}',
          "!tool Ping",
          '!ask Bash {"command":"rm -rf x"} destructive',
          '!ask Bash {"a":1}',
          "!stream 3 80 5",
          "!stream 3 80",
          "!sleep 20",
          "!error 529",
          "!usage 10 20",
          "not one",
        ].join("\r\n"),
      ),
    ).toEqual([
      { kind: "think", text: "first\nsecond" },
      { kind: "bash", command: "echo '\\n' && ls" },
      { kind: "read", path: "a b.txt" },
      { kind: "read", path: "c d.txt" },
      { kind: "write", path: "a.txt", text: "one\ntwo\\n" },
      { kind: "write", path: "my file", text: "x" },
      { kind: "write", path: "empty.txt", text: "" },
      { kind: "edit", path: "a.txt", oldText: "one", newText: "1 => 2" },
      { kind: "edit", path: "a.txt", oldText: "gone", newText: "" },
      { kind: "tool", name: "Agent", input: { prompt: "!say in\n!say side" } },
      { kind: "tool", name: "Ping", input: {} },
      { kind: "ask", name: "Bash", input: { command: "rm -rf x" }, risk: "destructive" },
      { kind: "ask", name: "Bash", input: { a: 1 } },
      { kind: "stream", count: 3, bytes: 80, delayMs: 5 },
      { kind: "stream", count: 3, bytes: 80, delayMs: 0 },
      { kind: "sleep", ms: 20 },
      { kind: "error", status: 529 },
      { kind: "usage", input: 10, output: 20 },
    ]);
  });

  it("merges says that follow each other, also across plain lines, and no others", () => {
    expect(parseDirectives("!say a\nplain\n!say  b\n!sleep 1\n!say c\\td")).toEqual([
      { kind: "say", text: "a\n b" },
      { kind: "sleep", ms: 1 },
      { kind: "say", text: "c\td" },
    ]);
  });

  it("is null where no line begins with an exclamation mark", () => {
    expect(parseDirectives("")).toBeNull();
    expect(parseDirectives("hello !say x\n !say y")).toBeNull();
  });

  it.each([
    ["!fly away", "unknown directive !fly"],
    ["!", "unknown directive !"],
    ["!constructor x", "unknown directive !constructor"],
    ["!say", "!say: needs TEXT"],
    ["!bash  ", "!bash: needs a command"],
    ["!read", "!read: needs PATH"],
    ['!read "a" b', "!read: takes only PATH"],
    ['!write "a b x', '!write: the quote " of PATH is not closed'],
    ["!edit a b", "!edit: needs PATH OLD => NEW"],
    ["!tool", "!tool: needs a tool name"],
    ["!tool X [1]", "!tool: the JSON must be an object"],
    ["!stream 1", "!stream: needs BYTES"],
    ["!stream 1000000 65536 0", "!stream: COUNT times BYTES is more than 256 MiB"],
    ["!stream 1000 1 3600000", "!stream: COUNT times DELAY_MS is more than an hour"],
    ["!sleep 1.5", "!sleep: MS must be a whole number from 0 to 3600000"],
    ["!sleep 1 2", "!sleep: takes only MS"],
    ["!error 200", "!error: STATUS must be a whole number from 400 to 599"],
    ["!usage -1 2", "!usage: INPUT must be a whole number from 0 to 1000000000"],
  ])("names what is wrong in %s", (line, message) => {
    expect(one(line)).toEqual({ kind: "invalid", line, message });
  });

  it("says where JSON is broken", () => {
    expect(one("!tool X {a}")).toMatchObject({ kind: "invalid", message: expect.stringContaining("not valid") });
    expect(one("!ask X {} extreme")).toMatchObject({ kind: "invalid", message: expect.stringContaining("not valid") });
  });

  it("never throws, has at most a step a line and finds one for every line that begins with a mark", () => {
    const word = fc.constantFrom("!say", "!write", "!edit", "!tool", "!ask", "!stream", "!read", "! ", "!x", "");
    const line = fc.tuple(word, fc.string()).map(([name, rest]) => `${name} ${rest}`.replaceAll("\n", ""));
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const marked = lines.filter((item) => item.startsWith("!"));
        const steps = parseDirectives(lines.join("\n"));
        expect(steps === null).toBe(marked.length === 0);
        expect(steps?.length ?? 0).toBeLessThanOrEqual(marked.length);
      }),
    );
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parseDirectives(`!${text}`)));
  });

  it("carries any text through write by its escapes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const escaped = text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
        fc.pre(!escaped.includes("\r"));
        expect(one(`!write f ${escaped}`)).toEqual({ kind: "write", path: "f", text });
      }),
    );
  });

  it("carries any JSON object through tool", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const input = JSON.parse(JSON.stringify(value));
        expect(one(`!tool T ${JSON.stringify(input)}`)).toEqual({ kind: "tool", name: "T", input });
      }),
    );
  });
});
