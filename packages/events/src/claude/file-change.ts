import type { JsonObject } from "@computeragent/protocol";
import type { FileChanged } from "../normalized-event.ts";
import { countOf, given, idOf, listOf, objectOf, stringOf, stringsOf } from "../shape.ts";
import { changedPath } from "./remembered-input.ts";
import type { OpenCall } from "./state.ts";

const WRITING = ["Edit", "MultiEdit", "NotebookEdit", "Write"];
/** Longest diff that is shown, in characters. */
const MAX_DIFF = 256 * 1024;

/** The change of a file that a successful call made. `details` is Claude's structured result; sub-agents report none. */
export function fileChange(
  callId: string,
  call: OpenCall | undefined,
  details: JsonObject,
  text: string,
): FileChanged | undefined {
  const reported = Array.isArray(details.structuredPatch) ? idOf(details.filePath) : undefined;
  const path = reported ?? idOf(details.notebook_path) ?? changedPath(call?.input ?? {});
  const writes = call ? WRITING.includes(call.name) : reported !== undefined;
  if (!writes || path === undefined || details.staged === true || idOf(details.error) !== undefined) return undefined;
  const created = isCreation(call, details, text, reported !== undefined);
  const diff = created ? creationDiff(path, stringOf(details.content)) : patchDiff(path, details);
  return { event: "file.changed", callId, path, change: created ? "create" : "modify", ...given("diff", diff) };
}

function isCreation(call: OpenCall | undefined, details: JsonObject, text: string, reported: boolean): boolean {
  if (!reported) return call?.name === "Write" && text.startsWith("File created");
  return details.type === undefined ? details.originalFile === null : details.type === "create";
}

function creationDiff(path: string, content: string | undefined): string | undefined {
  if (content === undefined || content.length > MAX_DIFF) return undefined;
  const head = `--- /dev/null\n+++ ${path}\n`;
  if (content === "") return head;
  const closed = content.endsWith("\n");
  const lines = (closed ? content.slice(0, -1) : content).split("\n").map((line) => `+${line}\n`);
  const end = closed ? "" : "\\ No newline at end of file\n";
  return `${head}@@ -0,0 +1,${lines.length} @@\n${lines.join("")}${end}`;
}

function patchDiff(path: string, details: JsonObject): string | undefined {
  const hunks = listOf(details.structuredPatch).map((item) => {
    const { oldStart, oldLines, newStart, newLines, lines } = objectOf(item);
    const [from, to] = [range(countOf(oldStart), countOf(oldLines)), range(countOf(newStart), countOf(newLines))];
    return `@@ -${from} +${to} @@\n${stringsOf(lines)
      .map((line) => `${line}\n`)
      .join("")}`;
  });
  const text = hunks.join("");
  return text === "" || text.length > MAX_DIFF ? undefined : `--- ${path}\n+++ ${path}\n${text}`;
}

const range = (start = 0, lines = 0): string => `${start},${lines}`;
