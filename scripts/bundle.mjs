// Bundles the command line: `node scripts/bundle.mjs`, after the packages were compiled. What `packages/cli/dist/main.js` loads goes
// into a few files under packages/cli/bundle, as reading some 650 modules one by one takes most of a start.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

const cli = join(import.meta.dirname, "..", "packages", "cli");
const dir = join(cli, "bundle");

// What is loaded by its name at run time stays outside: the SDK finds its own files, and is far too large.
const external = [/^node:/, /^@anthropic-ai\//];

const bundle = await rolldown({
  input: { main: join(cli, "dist", "main.js") },
  platform: "node",
  external,
  logLevel: "warn",
});
rmSync(dir, { recursive: true, force: true });
await bundle.write({
  dir,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
  sourcemap: false,
});
await bundle.close();
