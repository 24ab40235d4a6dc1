import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";

const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

/** Absolute path of an executable, looked up as `execvp` does after a change to `cwd`; undefined when there is none. */
export function resolveCommand(command: string, cwd: string, path: string | undefined): string | undefined {
  if (command === "") return undefined;
  if (command.includes("/")) return executable(resolve(cwd, command));
  for (const folder of (path ?? DEFAULT_PATH).split(":")) {
    const found = executable(resolve(cwd, folder, command));
    if (found) return found;
  }
  return undefined;
}

function executable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}
