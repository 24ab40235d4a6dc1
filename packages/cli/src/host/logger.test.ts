import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createLogger } from "./logger.ts";

const LOGGER = fileURLToPath(new URL("../../dist/host/logger.js", import.meta.url));

/** What a process says on stderr that logs one line of each kind and ends at once. */
function said(env: Record<string, string>): { level: number; msg: string }[] {
  const script = `
    import { createLogger } from ${JSON.stringify(LOGGER)};
    const logger = createLogger(process.env, "warn");
    for (const name of ["debug", "info", "warn", "error"]) logger[name]({ n: 1 }, "a " + name);
    process.exit();`;
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { env, encoding: "utf8" });
  return stderr
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

describe("the logger", () => {
  it("tells what is at or above the level, whole, also right before the end", () => {
    expect(said({})).toEqual([
      { level: 40, time: expect.any(Number), n: 1, msg: "a warn" },
      { level: 50, time: expect.any(Number), n: 1, msg: "a error" },
    ]);
    expect(said({ COMPUTERAGENT_LOG: "debug" }).map(({ msg }) => msg)).toEqual([
      "a debug",
      "a info",
      "a warn",
      "a error",
    ]);
    expect(said({ COMPUTERAGENT_LOG: "silent" })).toEqual([]);
  });

  it("loads nothing as long as nothing is told", () => {
    const script = `
      import { createRequire } from "node:module";
      import { createLogger } from ${JSON.stringify(LOGGER)};
      createLogger({}, "warn").info({}, "nothing");
      console.log(Object.keys(createRequire(import.meta.url).cache ?? {}).some((path) => path.includes("pino")));`;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect(output.trim()).toBe("false");
  });

  it("refuses a level that there is not", () => {
    expect(() => createLogger({ COMPUTERAGENT_LOG: "loud" }, "warn")).toThrow(
      /COMPUTERAGENT_LOG is "loud": use trace, /,
    );
  });
});
