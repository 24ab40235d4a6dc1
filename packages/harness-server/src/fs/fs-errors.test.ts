import { WireError } from "@computeragent/protocol";
import { describe, expect, it } from "vitest";
import { fsError } from "./fs-errors.ts";

const failed = (code: string) => Object.assign(new Error(`${code}: open '/host/only/secret'`), { code });

describe("fsError", () => {
  it.each([
    ["ENOSPC", "LIMIT_REACHED", "the disk is full"],
    ["EDQUOT", "LIMIT_REACHED", "quota"],
    ["EFBIG", "PAYLOAD_TOO_LARGE", "larger"],
    ["EMFILE", "LIMIT_REACHED", "too many open files"],
    ["EACCES", "FORBIDDEN", "protected"],
    ["EROFS", "FORBIDDEN", "read-only"],
    ["ENAMETOOLONG", "VALIDATION", "too long"],
    ["EIO", "INTERNAL", "EIO"],
  ])("tells %s as %s, with the caller's path alone", (errno, code, text) => {
    const error = fsError(failed(errno), "a/b");
    expect(error.code).toBe(code);
    expect(error.message).toContain(text);
    expect(error.message).toContain('"a/b"');
    expect(error.message).not.toContain("secret");
  });

  it("leaves an error that is told already as it is", () => {
    const error = new WireError("NOT_FOUND", "gone");
    expect(fsError(error, "x")).toBe(error);
    expect(fsError("a text", "x").code).toBe("INTERNAL");
  });
});
