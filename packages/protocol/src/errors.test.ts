import { describe, expect, expectTypeOf, it } from "vitest";
import { ERROR_CODE_NAMES, ERROR_CODES, type ErrorCode, Problem, WireError } from "./index.ts";

describe("error codes", () => {
  it.each(ERROR_CODE_NAMES)("%s has a status, a title and a valid problem", (code) => {
    const { status, title } = ERROR_CODES[code];
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThanOrEqual(599);
    const error = new WireError(code, "what went wrong", { errors: [{ pointer: "/a", message: "b" }] });
    expect(error.status).toBe(status);
    const problem = error.toProblem();
    expect(Problem.parse(JSON.parse(JSON.stringify(problem)))).toEqual(problem);
    expect(problem).toMatchObject({ code, status, title, detail: "what went wrong" });
    expect(problem.type).toMatch(/^urn:computeragent:error:[a-z-]+$/);
  });

  it("has a type of its own for each code", () => {
    const types = ERROR_CODE_NAMES.map((code) => new WireError(code, "x").toProblem().type);
    expect(new Set(types).size).toBe(types.length);
  });

  it("is known across copies of the package, and nothing else is", () => {
    expect(WireError.isInstance(new WireError("INTERNAL", "x"))).toBe(true);
    expect(WireError.isInstance({ [Symbol.for("computeragent.wire-error")]: true })).toBe(true);
    for (const other of [new Error("x"), null, undefined, "x", {}]) expect(WireError.isInstance(other)).toBe(false);
  });

  it("keeps the cause out of the problem, and lets extra fields in", () => {
    const error = new WireError("PERMISSION_RESOLVED", "x", {
      cause: new Error("secret"),
      extra: { resolution: { decision: "allow" } },
    });
    expect((error.cause as Error).message).toBe("secret");
    expect(JSON.stringify(error.toProblem())).not.toContain("secret");
    expect(Problem.parse(error.toProblem()).resolution).toEqual({ decision: "allow" });
  });

  it("types codes as a closed union", () => {
    expectTypeOf<Problem["code"]>().toEqualTypeOf<ErrorCode>();
  });
});
