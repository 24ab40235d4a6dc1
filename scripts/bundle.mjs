// Bundles the command line: `node scripts/bundle.mjs`, after the packages were compiled. What `packages/cli/dist/main.js` loads goes
// into a few files under packages/cli/bundle, as reading some 650 modules one by one takes most of a start.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

const cli = join(import.meta.dirname, "..", "packages", "cli");
const dir = join(cli, "bundle");
const ENTRY = "main.js";
/** A month, in ms. */
const KEEP_MS = 30 * 24 * 3_600_000;

// What is loaded by its name at run time stays outside: the SDK finds its own files, and is far too large.
const external = [/^node:/, /^@anthropic-ai\//];

const bundle = await rolldown({
  input: { main: join(cli, "dist", "main.js") },
  platform: "node",
  external,
  logLevel: "warn",
});
const { output } = await bundle.generate({
  format: "esm",
  entryFileNames: ENTRY,
  chunkFileNames: "[name]-[hash].js",
  sourcemap: false,
});
await bundle.close();

mkdirSync(dir, { recursive: true });
// The entry last, and each file whole or not at all: a program that starts meanwhile finds the old one or the new one.
const files = output.filter((file) => file.type === "chunk");
for (const { fileName, code } of [
  ...files.filter(({ isEntry }) => !isEntry),
  ...files.filter(({ isEntry }) => isEntry),
]) {
  writeFileSync(join(dir, `${fileName}.${process.pid}`), code);
  renameSync(join(dir, `${fileName}.${process.pid}`), join(dir, fileName));
}
// Hosts that run load their own chunks later: what an earlier build wrote stays until nothing as old can be running.
const current = new Set(files.map(({ fileName }) => fileName));
for (const name of readdirSync(dir)) {
  if (!current.has(name) && Date.now() - statSync(join(dir, name)).mtimeMs > KEEP_MS) rmSync(join(dir, name));
}
