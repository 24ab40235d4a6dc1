import type { JsonObject } from "@computeragent/protocol";

const PATHS = ["file_path", "path", "notebook_path"];
const FIELDS = ["command", "cmd", ...PATHS, "pattern", "url", "query", "skill", "description"];

/** One line that says what a tool call does. Paths in `folder` are told from there. */
export function describeCall(toolName: string, input: JsonObject, folder = ""): string {
  for (const field of FIELDS) {
    const value = input[field];
    if (typeof value !== "string" || value === "") continue;
    const inside = folder !== "" && PATHS.includes(field) && value.startsWith(`${folder}/`);
    return `${toolName} ${oneLine(inside ? value.slice(folder.length + 1) : value)}`;
  }
  const rest = JSON.stringify(input);
  return rest === "{}" ? toolName : `${toolName} ${oneLine(rest)}`;
}

/** Text without control characters, cut to a line's length: what an agent writes must not steer a terminal. */
export function oneLine(text: string, max = 160): string {
  const clean = printable(text).replace(/\s+/g, " ").trim();
  return clean.length > max ? `${clean.slice(0, max - 3)}...` : clean;
}

/** Removes control characters other than line breaks and tabs, and marks that reorder text. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "");
}

/** Words broken into indented lines that fit a terminal of 80 columns. */
export function wrapped(words: string, indent: number): string {
  const line = new RegExp(`(\\S.{0,${78 - indent}})(?: |$)`, "g");
  return words.replace(line, `${" ".repeat(indent)}$1\n`).trimEnd();
}
