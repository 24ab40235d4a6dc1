import { CreateSessionBody, WireError } from "@computeragent/protocol";
import { createMockEngine } from "@computeragent/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requestedCursor } from "./follow-session.ts";
import { callerOptions } from "./merge-options.ts";
import { checkEnvs, secretValues } from "./session-envs.ts";

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    if (WireError.isInstance(error)) return error.code;
    throw error;
  }
};

describe("what a caller sends", () => {
  it("as a cursor is a whole number from 0, none, or refused", () => {
    const odd = fc.oneof(
      fc.constantFrom(
        "-1",
        "-2",
        "1e9",
        "0x10",
        " 1",
        "1 ",
        "1\n",
        "٣",
        "９",
        "9".repeat(16),
        "NaN",
        "Infinity",
        "1.0",
        "+1",
        "\0",
      ),
      fc.string({ unit: "binary" }),
      fc.bigInt().map(String),
    );
    fc.assert(
      fc.property(fc.option(odd, { nil: undefined }), fc.option(odd, { nil: undefined }), (header, after) => {
        let cursor: number | null = null;
        const code = codeOf(() => {
          cursor = requestedCursor(header, after);
        });
        if (code !== undefined) expect(code).toBe("VALIDATION");
        if (cursor !== null) expect(Number.isSafeInteger(cursor) && cursor >= 0).toBe(true);
      }),
    );
    expect(codeOf(() => requestedCursor("1".repeat(1_000_000), undefined))).toBe("VALIDATION");
  });

  it("as variables never names the ones that change how programs are found or loaded", () => {
    const bad = [
      "LD_PRELOAD",
      "NODE_OPTIONS",
      "PATH",
      "HOME",
      "BASH_ENV",
      "GIT_SSH_COMMAND",
      "PYTHONPATH",
      "DYLD_X",
      "COMPUTERAGENT_HOME",
    ];
    const name = fc.oneof(fc.constantFrom(...bad), fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,30}$/));
    fc.assert(
      fc.property(fc.dictionary(name, fc.string({ unit: "binary" })), (envs) => {
        const code = codeOf(() => checkEnvs(envs));
        if (
          Object.keys(envs).some((one) => bad.includes(one)) ||
          Object.values(envs).some((one) => one.includes("\0"))
        ) {
          expect(code).toBe("VALIDATION");
        }
        for (const value of secretValues(envs)) expect(Object.values(envs)).toContain(value);
      }),
    );
  });

  it("as options is known to the engine, or refused", () => {
    const engine = createMockEngine();
    const own = ["model", "maxTurns", "permissionMode", "includePartials", "maxBudgetUsd", "misbehave"];
    const name = fc.oneof(
      fc.constantFrom(...own, "--settings", "__proto__", "constructor", "extraArgs", "env"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue()), (options) => {
        const body = CreateSessionBody.safeParse({ engine: "mock", options: JSON.parse(JSON.stringify(options)) });
        expect(body.success).toBe(!Object.hasOwn(options, "__proto__"));
        if (!body.success) return;
        const code = codeOf(() => callerOptions(body.data, engine));
        if (code === undefined) expect(own).toEqual(expect.arrayContaining(Object.keys(options)));
        else expect(["OPTION_NOT_ALLOWED", "VALIDATION"]).toContain(code);
      }),
    );
  });
});
