import { execFileSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseVersion, requirements, satisfies } from "../../scripts/lib/versions.mjs";
import { ROOT } from "./checkout.ts";

const RANGE = "^22.22.0 || >=24.11.0";

describe("satisfies", () => {
  it.each([
    ["v22.22.0", true],
    ["22.99.1", true],
    ["22.21.9", false],
    ["23.11.0", false],
    ["24.10.9", false],
    ["24.11.0", true],
    ["24.22.3", true],
    ["26.0.0", true],
    ["20.20.2", false],
    ["18.20.0", false],
    ["24.11.0-rc.1", false],
    ["24.11", false],
    ["", false],
  ])("%s in the range of this project: %s", (version, expected) => {
    expect(satisfies(version, RANGE)).toBe(expected);
  });

  it("is what the package.json of the checkout asks for", () => {
    expect(requirements(ROOT).node).toBe(RANGE);
  });

  it("refuses a range that it does not understand instead of guessing", () => {
    expect(() => satisfies("24.0.0", "~24.0.0")).toThrow(/unsupported/);
  });

  it("reads back every version", () => {
    fc.assert(
      fc.property(fc.nat(99), fc.nat(99), fc.nat(99), (major, minor, patch) => {
        expect(parseVersion(`v${major}.${minor}.${patch}`)?.numbers).toEqual([major, minor, patch]);
      }),
    );
  });
});

describe("the launchers' own check in sh", () => {
  it("agrees with satisfies for every version", () => {
    const versions = [18, 20, 21, 22, 23, 24, 25, 26, 100].flatMap((major) =>
      [0, 9, 10, 11, 21, 22, 23, 100].map((minor) => `v${major}.${minor}.3`),
    );
    versions.push("v24.12.0-rc.1", "not a version", "");
    // The function alone: everything up to the end of its body.
    const script = `
      eval "$(sed -n '/^fits()/,/^}/p' "$1")"
      shift
      for version in "$@"; do if fits "$version"; then echo yes; else echo no; fi; done`;
    const answers = execFileSync("sh", ["-c", script, "sh", join(ROOT, "bin", "launch.sh"), ...versions], {
      encoding: "utf8",
    });
    const expected = versions.map((version) => (satisfies(version, RANGE) ? "yes" : "no"));
    expect(answers.trim().split("\n")).toEqual(expected);
  });
});
