import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CliError, EXIT } from "../exit-codes.ts";
import { limitsFrom } from "../host/limit-flags.ts";
import { buildProgram } from "../program.ts";
import { sourceOf } from "./source.ts";

/** What is given, or undefined for a usage error; anything else that is thrown fails. */
function read<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    expect(error.message).not.toBe("");
    return undefined;
  }
}

describe("a source on the command line", () => {
  const piece = fc.constantFrom(
    "inline:",
    "{",
    "}",
    '"files"',
    ":",
    ",",
    "/",
    "..",
    "~",
    "git@host",
    "https://",
    "#ref",
    "host.org",
    "a",
    "\0",
    " ",
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 10 }).map((all) => all.join("")),
    fc.string({ unit: "binary" }),
  );

  it("is a folder, a repository or an agent in place, or refused", () => {
    fc.assert(
      fc.property(text, (source) => {
        const found = read(() => sourceOf(source, "/nowhere"));
        if (found) expect(["local", "git", "inline"]).toContain(found.type);
      }),
    );
    for (const one of ["a", "/", "../", "inline:{", ":", "~"]) read(() => sourceOf(one.repeat(100_000), "/nowhere"));
  });
});

describe("a limit on the command line", () => {
  it("is a whole number above 0 of a known name, or refused", () => {
    const known = { maxReaders: 1, bodyMs: 1 };
    const flag = fc.tuple(
      fc.oneof(fc.constantFrom("maxReaders", "bodyMs", "__proto__", "constructor", ""), fc.string()),
      fc.constantFrom("=", "", "=="),
      fc.oneof(fc.nat().map(String), fc.constantFrom("0", "-1", "1e3", "1.5", "９", "9".repeat(16), " 1"), fc.string()),
    );
    fc.assert(
      fc.property(fc.array(flag.map((all) => all.join(""))), (flags) => {
        const limits = read(() => limitsFrom(flags, known as never));
        for (const [name, value] of Object.entries(limits ?? {})) {
          expect(Object.keys(known)).toContain(name);
          expect(Number.isSafeInteger(value) && Number(value) > 0).toBe(true);
        }
      }),
    );
  });
});

describe("a command line", () => {
  it("of anything ends with an exit code or a usage error, before a command runs", async () => {
    const word = fc.oneof(
      fc.constantFrom(
        "--host",
        "--port",
        "--max-turns",
        "--simulate-price",
        "--limit",
        "--",
        "-m",
        "--no-auth",
        "--json",
        "--help",
        "=",
        "-1",
      ),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 8 }), async (words) => {
        const program = buildProgram("x", () => {}).configureOutput({ writeOut: () => {}, writeErr: () => {} });
        for (const command of program.commands) {
          command.configureOutput({ writeOut: () => {}, writeErr: () => {} }).action(() => {});
        }
        const error: unknown = await program.parseAsync(["serve", ...words], { from: "user" }).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (error !== undefined) expect(error).toHaveProperty("exitCode");
      }),
    );
    expect(EXIT.usage).toBe(2);
  });
});
