import { Budget } from "../files/budget.ts";
import { copyTree } from "../files/copy-tree.ts";
import type { Materialiser } from "./materialiser.ts";

/** Copies the files of a commit into `dir`, and says which submodules are missing. */
export async function copyCommit(from: string, submodules: readonly string[], to: Materialiser): Promise<void> {
  for (const path of submodules) {
    to.notices.add("warning", "gap.source.submodule", path, "A submodule: its content is not fetched.");
  }
  await copyTree({
    from,
    to: to.dir,
    leaveOut: new Set([".git"]),
    gitignore: false,
    budget: new Budget(to.limits),
    notices: to.notices,
    signal: to.signal,
  });
}
