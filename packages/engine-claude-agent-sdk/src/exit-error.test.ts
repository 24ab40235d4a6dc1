import { describe, expect, it } from "vitest";
import { describeExit, type ProcessEnd } from "./exit-error.ts";
import { StderrTail } from "./stderr-tail.ts";

const end = (rest: Partial<ProcessEnd>): ProcessEnd => ({
  thrown: undefined,
  answered: true,
  timedOut: false,
  stderr: "",
  secrets: ["secret-value"],
  ...rest,
});
const exit = (code: number | null, signal: NodeJS.Signals | null = null) => ({ code, signal });

describe("describeExit", () => {
  it("has nothing to say about a proper end", () => {
    expect(describeExit(end({ exit: exit(0) }))).toBeUndefined();
  });

  it.each([
    [{ exit: exit(0), answered: false }, "permanent", "engine_exited"],
    [{ exit: exit(1), answered: false }, "permanent", "engine_exited"],
    [{ exit: exit(1) }, "transient", "engine_exited"],
    [{ exit: exit(0), thrown: new Error("nonsense") }, "transient", "engine_exited"],
    [{ exit: exit(null, "SIGKILL" as const) }, "transient", "engine_killed"],
    [{ exit: exit(null, "SIGKILL" as const), timedOut: true }, "transient", "start_timeout"],
    [{ thrown: new Error("no binary") }, "permanent", "engine_not_started"],
  ])("tells the end %j as %s", (rest, errorClass, code) => {
    expect(describeExit(end(rest))).toMatchObject({ class: errorClass, code });
  });

  it("tells lasting from passing reasons not to start, and names no path", () => {
    const failed = (code: string) => ({
      ...exit(null),
      error: Object.assign(new Error(`spawn /private/claude ${code}`), { code }),
    });
    expect(describeExit(end({ exit: failed("ENOENT") }))).toMatchObject({ class: "permanent" });
    expect(describeExit(end({ exit: failed("EAGAIN") }))).toMatchObject({ class: "transient" });
    expect(describeExit(end({ exit: failed("ENOENT") }))?.message).not.toContain("/private");
  });

  it("shows the end of stderr without secrets", () => {
    const secrets = ["secret-value", "of"];
    const tail = new StderrTail();
    tail.add(Buffer.from(`${"x".repeat(10_000)}\nkey secret-value and sk-ant-api03-abcdefgh of Bearer abcdefghijk`));
    expect(tail.text(secrets)).toContain("key *** and sk-ant-*** of Bearer ***");
    expect(tail.text(secrets).length).toBeLessThanOrEqual(300);
    expect(describeExit(end({ exit: exit(1), stderr: tail.text(secrets) }))?.message).toContain("sk-ant-***");
    expect(describeExit(end({ thrown: "lost secret-value" }))?.message).toBe("lost ***");
  });
});
