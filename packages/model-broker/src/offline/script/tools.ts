import { posix } from "node:path";
import type { JsonObject, JsonValue } from "@computeragent/protocol";
import type { OfferedTool } from "../conversation.ts";
import type { Call } from "./act.ts";

type Use = Exclude<Call["kind"], "tool">;

/** Names under which engines offer a tool for a job, best first, and the names of its input fields. */
const KNOWN: Readonly<Record<Use, { names: readonly string[]; fields: Readonly<Record<string, readonly string[]>> }>> =
  {
    bash: {
      names: ["Bash", "exec_command", "run_shell_command", "shell", "shell_command", "execute_command"],
      fields: { command: ["command", "cmd"] },
    },
    read: { names: ["Read", "read_file", "view_file"], fields: { path: ["file_path", "path", "absolute_path"] } },
    write: {
      names: ["Write", "write_file", "create_file"],
      fields: { path: ["file_path", "path", "absolute_path"], text: ["content", "text", "contents", "file_text"] },
    },
    edit: {
      names: ["Edit", "replace", "edit_file", "str_replace"],
      fields: {
        path: ["file_path", "path", "absolute_path"],
        oldText: ["old_string", "old_str", "old_text"],
        newText: ["new_string", "new_str", "new_text"],
      },
    },
  };

const bare = (name: string): string =>
  name
    .slice(name.lastIndexOf("__") + 1)
    .replace(/^_/, "")
    .toLowerCase();

/** Whether `name` is a name under which engines offer a tool for `use`. */
export function isToolFor(use: Call["kind"], name: string): boolean {
  return use !== "tool" && KNOWN[use].names.some((known) => known.toLowerCase() === bare(name));
}

/** The tool that the engine offers for a job; the exact names come first. */
export function findTool(use: Use, tools: readonly OfferedTool[]): OfferedTool | null {
  for (const name of KNOWN[use].names) {
    const tool =
      tools.find((item) => item.name === name) ?? tools.find((item) => bare(item.name) === name.toLowerCase());
    if (tool) return tool;
  }
  return null;
}

const record = (value: JsonValue | undefined): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

function filler(schema: JsonObject): JsonValue {
  switch (schema.type) {
    case "boolean":
      return false;
    case "number":
    case "integer":
      return 0;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "offline script step";
  }
}

function fill(tool: OfferedTool, values: Readonly<Record<string, string>>, use: Use): JsonObject {
  const properties = record(tool.schema.properties);
  const input: JsonObject = {};
  for (const [key, aliases] of Object.entries(KNOWN[use].fields)) {
    const field = aliases.find((alias) => alias in properties) ?? aliases[0] ?? key;
    const value = values[key] ?? "";
    const isList = key === "command" && record(properties[field]).type === "array";
    input[field] = isList ? ["bash", "-lc", value] : value;
  }
  const required = Array.isArray(tool.schema.required) ? tool.schema.required : [];
  for (const field of required) {
    if (typeof field === "string" && !(field in input)) input[field] = filler(record(properties[field]));
  }
  return input;
}

/** A path as the engine wants it: absolute, when the engine states where it works. */
export function resolvePath(path: string, cwd: string | undefined): string {
  return cwd === undefined || posix.isAbsolute(path) || path.startsWith("~") ? path : posix.join(cwd, path);
}

/** The call in the words of the engine; `null` when it offers no tool for it. */
export function toToolUse(
  call: Call,
  tools: readonly OfferedTool[],
  cwd: string | undefined,
): { name: string; input: JsonObject } | null {
  if (call.kind === "tool") return { name: call.name, input: call.input };
  const tool = findTool(call.kind, tools);
  if (!tool) return null;
  const { kind, ...values } = call;
  const resolved = "path" in values ? { ...values, path: resolvePath(values.path, cwd) } : values;
  return { name: tool.name, input: fill(tool, resolved, kind) };
}
