import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { programUrl } from "./program-url.ts";

/** A folder of packages whose files were written at the given seconds. */
async function packages(files: Record<string, number>): Promise<URL> {
  const root = await mkdtemp(join(tmpdir(), "ca-program-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [name, at] of Object.entries(files)) {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "");
    await utimes(path, at, at);
  }
  return pathToFileURL(`${root}/`);
}

const PLAIN = /\/cli\/dist\/main\.js$/;
const BUNDLE = /\/cli\/bundle\/main\.js$/;

describe("the program that is loaded", () => {
  it("is the bundle when nothing was compiled since", async () => {
    const dir = await packages({ "cli/bundle/main.js": 20, "cli/dist/.tsbuildinfo": 10, "sdk/dist/.tsbuildinfo": 19 });
    expect(programUrl(dir, "cli").href).toMatch(BUNDLE);
  });

  it("is the compiled files when another package was compiled later", async () => {
    const dir = await packages({ "cli/bundle/main.js": 20, "cli/dist/.tsbuildinfo": 10, "sdk/dist/.tsbuildinfo": 21 });
    expect(programUrl(dir, "cli").href).toMatch(PLAIN);
  });

  it("is the compiled files where there is no bundle", async () => {
    expect(programUrl(await packages({ "cli/dist/.tsbuildinfo": 1 }), "cli").href).toMatch(PLAIN);
  });

  it("is the bundle of an installed package, whatever lies beside it", async () => {
    const dir = await packages({ "cli/bundle/main.js": 20, "zod/package.json": 99, "README.md": 99 });
    expect(programUrl(dir, "cli").href).toMatch(BUNDLE);
  });
});
