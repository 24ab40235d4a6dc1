import { reportFile, type Scope } from "./scope.ts";
import { readText } from "./yaml-file.ts";

/** More of one text the loader does not read. */
const MAX_BYTES = 64 * 1024;
const MEMORY_LINES = 200;

/** The texts of an agent: S1-S3, X14, X21, X22. */
export async function checkDocuments(scope: Scope): Promise<void> {
  const soul = await readText(scope, "SOUL.md", "S1", MAX_BYTES, true);
  if (soul) {
    const lines = soul.text.split("\n").filter((line) => line.trim() !== "");
    if (lines.length === 0) reportFile(scope, "S2", "SOUL.md", "is empty");
    else if (lines.every((line) => line.startsWith("#")))
      reportFile(scope, "S3", "SOUL.md", "has headings but no text");
    cutOff(scope, "SOUL.md", soul.cut);
  }
  for (const file of ["RULES.md", "DUTIES.md", "AGENTS.md"]) {
    const content = await readText(scope, file, "X21", MAX_BYTES);
    if (content) cutOff(scope, file, content.cut);
  }
  const memory = await readText(scope, "memory/MEMORY.md", "X14", MAX_BYTES);
  const lines = memory?.text.trimEnd().split("\n").length ?? 0;
  if (lines > MEMORY_LINES || memory?.cut) {
    const message = `has ${memory?.cut ? "at least " : ""}${lines} lines: keep it under ${MEMORY_LINES + 1}`;
    reportFile(scope, "X14", "memory/MEMORY.md", message);
  }
}

function cutOff(scope: Scope, file: string, cut: boolean): void {
  if (cut) reportFile(scope, "X22", file, `is longer than ${MAX_BYTES} bytes: the rest is not read`);
}
