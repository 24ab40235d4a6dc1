import { mkdirSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { EXIT } from "../exit-codes.ts";
import { packageRoot } from "../package-root.ts";
import { programUrl } from "./program-url.ts";

/** Runs a command line and ends the process with its code, after the output is written. */
export async function start(name: string, args: readonly string[]): Promise<void> {
  if (canCache()) enableCompileCache();
  // A reader that is gone, or a full disk under the output, ends neither a host nor an agent's work half way.
  let failure: NodeJS.ErrnoException | undefined;
  process.stdout.on("error", (error) => {
    failure ??= error;
  });
  process.stderr.on("error", () => {});
  const root = packageRoot();
  const program = programUrl(pathToFileURL(`${dirname(root)}/`), basename(root));
  const { main }: typeof import("../main.ts") = await import(program.href);
  const code = await main(name, args);
  // A library may hold a handle: the work is done either way.
  process.stdout.write("", (last: NodeJS.ErrnoException | null | undefined) => {
    const lost = failure ?? last ?? undefined;
    const isLost = lost !== undefined && lost.code !== "EPIPE";
    if (isLost) process.stderr.write(`the output could not be written: ${lost.code}\n`);
    process.exitCode = isLost && code === EXIT.success ? EXIT.failed : code;
    process.stderr.write("", () => process.exit());
  });
}

/** Node makes the cache's folder recursively, which never returns below /proc. The first folder of it is made here. */
function canCache(): boolean {
  try {
    mkdirSync(join(tmpdir(), "node-compile-cache"));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EEXIST";
  }
}
