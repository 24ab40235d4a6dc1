import { enableCompileCache } from "node:module";

/** Runs a command line and ends the process with its code, after the output is written. */
export async function start(name: string, args: readonly string[]): Promise<void> {
  enableCompileCache();
  const { main } = await import("../main.ts");
  process.exitCode = await main(name, args);
  // A reader of the output may be gone, or a library may hold a handle: the work is done either way.
  process.stdout.write("", () => process.stderr.write("", () => process.exit()));
}
