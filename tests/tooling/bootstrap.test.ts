import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { which } from "../../scripts/lib/command.mjs";
import { contentOf, fakeCheckout, outcome, untilGone, writeTree } from "./checkout.ts";

const kinds = (calls: readonly string[]) => calls.map((call) => call.split(" ")[0]);

describe("bootstrap", () => {
  it("fetches, installs, builds and runs, and does none of it again", async () => {
    const checkout = fakeCheckout();
    const first = await checkout.run(["start"]);
    expect(first).toMatchObject({ code: 0 });
    expect(kinds(checkout.calls())).toEqual(["npm", "pnpm", "tsc", "bundle"]);
    expect(first.stderr).toMatch(/Fetching .*pnpm 12\.4\.2.*\n.*done in \d+\.\d s/);
    const second = await checkout.run(["start"]);
    expect(second).toMatchObject({ code: 0, stderr: "" });
    expect(checkout.calls()).toEqual([]);
  });

  it("installs for running only the closure of the command line, and for tests everything", async () => {
    const checkout = fakeCheckout();
    await checkout.run(["start"]);
    const [, install, build] = checkout.calls();
    expect(install).toContain("--frozen-lockfile");
    expect(install).toContain("--prod --filter . --filter @computeragent/cli...");
    expect(build).toContain("packages/cli");
    expect(build).toContain("packages/protocol");
    expect(build).not.toContain("packages/apart");
    await checkout.run(["test"]);
    const [all, rest] = checkout.calls();
    expect(all).not.toContain("--filter");
    expect(rest).toContain("packages/apart");
    await checkout.run(["start"]);
    expect(checkout.calls()).toEqual([]);
  });

  it("keeps the full install full when the lockfile changes before the next start", async () => {
    const checkout = fakeCheckout();
    await checkout.run(["setup"]);
    checkout.calls();
    writeFileSync(join(checkout.dir, "pnpm-lock.yaml"), "lockfileVersion: '9.1'\n");
    await checkout.run(["start"]);
    const [install] = checkout.calls();
    expect(install).toContain("pnpm install");
    expect(install).not.toContain("--prod");
  });

  it("builds again after an edit, a deleted file and a deleted output, not after an edited test", async () => {
    const checkout = fakeCheckout();
    await checkout.run(["build"]);
    checkout.calls();
    writeTree(checkout.dir, { "packages/protocol/src/extra.ts": "export const a = 1;\n" });
    await checkout.run(["build"]);
    expect(kinds(checkout.calls())).toEqual(["tsc", "bundle"]);
    rmSync(join(checkout.dir, "packages/protocol/src/extra.ts"));
    await checkout.run(["build"]);
    expect(kinds(checkout.calls())).toEqual(["tsc", "bundle"]);
    rmSync(join(checkout.dir, "packages/protocol/dist"), { recursive: true });
    await checkout.run(["build"]);
    expect(kinds(checkout.calls())).toEqual(["tsc", "bundle"]);
    rmSync(join(checkout.dir, "packages/cli/bundle"), { recursive: true });
    await checkout.run(["build"]);
    expect(kinds(checkout.calls())).toEqual(["tsc", "bundle"]);
    writeTree(checkout.dir, { "packages/protocol/src/extra.test.ts": "export const a = 1;\n" });
    await checkout.run(["build"]);
    expect(checkout.calls()).toEqual([]);
  });

  it("installs again when a package's node_modules is gone", async () => {
    const checkout = fakeCheckout();
    await checkout.run(["start"]);
    checkout.calls();
    rmSync(join(checkout.dir, "packages/cli/node_modules"), { recursive: true });
    await checkout.run(["start"]);
    expect(kinds(checkout.calls())).toEqual(["pnpm"]);
  });

  it("shows the output of a failed install, and tries again the next time", async () => {
    const checkout = fakeCheckout();
    writeTree(checkout.dir, { "break-pnpm": "" });
    const failed = await checkout.run(["start"]);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("ERR_PNPM_NO_SPACE");
    expect(existsSync(join(checkout.dir, "node_modules/.computeragent/install.json"))).toBe(false);
    expect(existsSync(join(checkout.dir, ".tools/setup.lock"))).toBe(false);
    rmSync(join(checkout.dir, "break-pnpm"));
    expect(await checkout.run(["start"])).toMatchObject({ code: 0 });
  });

  it("says that the registry cannot be reached", async () => {
    const checkout = fakeCheckout();
    writeTree(checkout.dir, { "break-npm": "" });
    const failed = await checkout.run(["setup"]);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("registry could not be reached");
  });

  it("does not trust what a killed npm left in .tools", async () => {
    const checkout = fakeCheckout();
    await checkout.run(["setup"]);
    checkout.calls();
    writeTree(checkout.dir, { ".tools/.installing": "", ".tools/node_modules/half": "written" });
    rmSync(join(checkout.dir, "node_modules"), { recursive: true });
    expect(await checkout.run(["setup"])).toMatchObject({ code: 0 });
    expect(kinds(checkout.calls())).toEqual(["npm", "pnpm", "tsc", "bundle"]);
    expect(existsSync(join(checkout.dir, ".tools/node_modules/half"))).toBe(false);
  });

  it("hands every argument and the exit code through untouched", async () => {
    const checkout = fakeCheckout();
    const odd = ["--once", "", "a b", 'quo"te', "$HOME", "--", "*", "--verbose"];
    const result = await checkout.run(["start", ...odd], { TEST_EXIT: "7" });
    expect(result.code).toBe(7);
    expect(JSON.parse(result.stdout)).toEqual({ args: ["demo", ...odd], cwd: checkout.dir });
  });

  it("runs the checks even if the build fails, and counts a failed set-up as one", async () => {
    const checkout = fakeCheckout();
    writeTree(checkout.dir, { "break-build": "" });
    const tested = await checkout.run(["test", "--only", "lint"]);
    expect(tested.stderr).toContain("error TS1");
    expect(JSON.parse(tested.stdout).args).toEqual(["--only", "lint"]);
    expect((await checkout.run(["start"])).code).toBe(1);
    writeTree(checkout.dir, { "break-pnpm": "" });
    writeFileSync(join(checkout.dir, "pnpm-lock.yaml"), "changed\n");
    const unprepared = await checkout.run(["test"]);
    expect(unprepared).toMatchObject({ code: 1, stdout: "0 passed, 1 failed\n" });
  });

  it.each([[[]], [["deploy"]], [["toString"]], [["--loud", "start"]]])("answers %j with its usage", async (args) => {
    const checkout = fakeCheckout();
    const result = await checkout.run(args);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain("usage:");
    expect(checkout.calls()).toEqual([]);
  });

  it("lets two at once take turns", async () => {
    const checkout = fakeCheckout();
    const results = await Promise.all([1, 2, 3].map(() => checkout.run(["start"])));
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(kinds(checkout.calls())).toEqual(["npm", "pnpm", "tsc", "bundle"]);
  });

  it("gives way at once to a signal during an install, and leaves no lock behind", async () => {
    const checkout = fakeCheckout();
    writeTree(checkout.dir, { "slow-install": "" });
    const child = checkout.start(["start"]);
    const ended = outcome(child);
    await contentOf(checkout.dir, "install.pid");
    child.kill("SIGTERM");
    expect((await ended).code).toBe(143);
    expect(existsSync(join(checkout.dir, ".tools/setup.lock"))).toBe(false);
  });

  it.skipIf(which("setpriv") === undefined)("takes the installer along when it is killed outright", async () => {
    const checkout = fakeCheckout();
    writeTree(checkout.dir, { "slow-install": "" });
    const child = checkout.start(["start"]);
    const pid = Number(await contentOf(checkout.dir, "install.pid"));
    child.kill("SIGKILL");
    await untilGone(pid);
    rmSync(join(checkout.dir, "slow-install"));
    expect(await checkout.run(["start"])).toMatchObject({ code: 0 });
  });
});
