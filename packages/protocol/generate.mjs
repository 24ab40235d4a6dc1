// Writes generated/ anew from the schemas: `pnpm generate`. A test fails when it was forgotten.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { emitFiles } from "./src/emit/files.ts";

const target = join(import.meta.dirname, "generated");
rmSync(target, { recursive: true, force: true });
for (const [path, text] of emitFiles()) {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  writeFileSync(join(target, path), text);
}
