import type { Ledger } from "../ledger.ts";

const LINE = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/;
const UNIFIED = /^(?:---|\+\+\+) (?:[ab]\/)?([^\t\n]+)/;

/** Notes the files that a patch adds, changes, moves or deletes; a patch without any is not understood. */
export function judgePatch(patch: string, base: string, ledger: Ledger): void {
  let seen = 0;
  for (const line of patch.split("\n")) {
    const [, verb, path] = LINE.exec(line) ?? [];
    if (verb !== undefined && path !== undefined) {
      seen++;
      ledger.use(path.trim(), [base], verb === "Delete File" ? "delete" : verb === "Move to" ? "overwrite" : "write");
      continue;
    }
    const unified = UNIFIED.exec(line)?.[1];
    if (unified === undefined) continue;
    seen++;
    if (unified.trim() === "/dev/null") {
      if (line.startsWith("+++")) ledger.raise("destructive", "it deletes");
    } else ledger.use(unified.trim(), [base], "write");
  }
  if (seen === 0) ledger.unknown("write");
}
