// Which Node and pnpm this checkout needs. Runs on Node 18, so that an old Node can fetch the right one.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The Node release that set-up installs when the one at hand does not fit. */
export const PINNED_NODE = "24.22.3";

/**
 * @param {string} text a version such as `v24.11.0` or `24.11.0-rc.1`
 * @returns {{ numbers: [number, number, number], prerelease: boolean } | undefined}
 */
export function parseVersion(text) {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.exec(text.trim());
  if (match === null) return undefined;
  return { numbers: [Number(match[1]), Number(match[2]), Number(match[3])], prerelease: match[4] !== undefined };
}

/**
 * @param {readonly number[]} a
 * @param {readonly number[]} b
 */
function compare(a, b) {
  for (let i = 0; i < 3; i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Whether a version satisfies a range made of `^a.b.c`, `>=a.b.c` and `||`. Pre-releases never do.
 * @param {string} version
 * @param {string} range
 */
export function satisfies(version, range) {
  const parsed = parseVersion(version);
  if (parsed === undefined || parsed.prerelease) return false;
  return range.split("||").some((part) => {
    const match = /^\s*(\^|>=)\s*(\S+)\s*$/.exec(part);
    const lowest = parseVersion(match?.[2] ?? "");
    if (match === null || lowest === undefined) throw new Error(`unsupported version range "${range}"`);
    if (compare(parsed.numbers, lowest.numbers) < 0) return false;
    return match[1] === ">=" || parsed.numbers[0] === lowest.numbers[0];
  });
}

/**
 * The range of Node versions and the exact pnpm version that the root package.json asks for.
 * @param {string} root
 * @returns {{ node: string, pnpm: string }}
 */
export function requirements(root) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const node = manifest.engines?.node;
  const pnpm = /^pnpm@([^+]+)/.exec(manifest.packageManager ?? "")?.[1];
  if (typeof node !== "string" || pnpm === undefined) {
    throw new Error("package.json must name engines.node and packageManager pnpm@VERSION");
  }
  return { node, pnpm };
}
