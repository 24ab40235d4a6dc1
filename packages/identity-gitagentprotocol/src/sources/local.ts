import { Budget } from "../files/budget.ts";
import { copyTree } from "../files/copy-tree.ts";
import { allowedFolder } from "./allowed-roots.ts";
import type { Materialiser } from "./materialiser.ts";

const LEFT_OUT = new Set([".git", "node_modules"]);

/** Copies a folder of this machine, without `.git`, `node_modules` and what its `.gitignore` files name. */
export async function materialiseLocal(path: string, to: Materialiser): Promise<void> {
  await copyTree({
    from: await allowedFolder(path, to.options.localSources),
    to: to.dir,
    leaveOut: LEFT_OUT,
    gitignore: true,
    budget: new Budget(to.limits),
    notices: to.notices,
    signal: to.signal,
  });
}
