import { readdirSync, statSync } from "node:fs";

/** When a file was last written, in ms; 0 if there is none. */
function writtenAt(url: URL): number {
  return statSync(url, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * The program to load: the bundle, which starts far faster. `packages` is the folder of all packages (with a slash), `cli` this
 * one's name in it. In a checkout the compiled files win where a package was compiled after the bundle was made.
 */
export function programUrl(packages: URL, cli: string): URL {
  const plain = new URL(`${cli}/dist/main.js`, packages);
  const bundle = new URL(`${cli}/bundle/main.js`, packages);
  const bundledAt = writtenAt(bundle);
  if (bundledAt === 0) return plain;
  // An installed package has no compiler's records beside it.
  const stale = readdirSync(packages).some(
    (name) => writtenAt(new URL(`${name}/dist/.tsbuildinfo`, packages)) > bundledAt,
  );
  return stale ? plain : bundle;
}
