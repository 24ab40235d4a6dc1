import type { Host } from "./host.ts";

/** Removes what the host made for a session. A folder that it did not make stays. */
export async function removeDirs(host: Host, owned: readonly string[]): Promise<void> {
  for (const path of owned) {
    const dirs = host.dirs.owns(path) ? host.dirs : host.tmpDirs;
    await dirs.remove(path).catch((error: unknown) => {
      host.config.logger.warn({ err: error }, "a session folder could not be removed");
    });
  }
}
