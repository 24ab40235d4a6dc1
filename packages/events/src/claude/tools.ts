import type { JsonObject, ToolKind } from "@computeragent/protocol";
import { idOf } from "../shape.ts";

const KINDS: Readonly<Record<string, ToolKind>> = {
  Bash: "execute",
  BashOutput: "read",
  Edit: "write",
  EnterPlanMode: "interaction",
  ExitPlanMode: "interaction",
  AskUserQuestion: "interaction",
  Glob: "read",
  Grep: "read",
  KillShell: "execute",
  ListMcpResources: "read",
  LS: "read",
  MultiEdit: "write",
  NotebookEdit: "write",
  NotebookRead: "read",
  PowerShell: "execute",
  Read: "read",
  ReadMcpResource: "read",
  ReadMcpResourceDir: "read",
  WebFetch: "network",
  WebSearch: "network",
  Write: "write",
};

const PATH_FIELDS = ["file_path", "notebook_path", "path"] as const;

/** What a tool of Claude does, by its name. */
export const toolKind = (name: string): ToolKind => (Object.hasOwn(KINDS, name) ? KINDS[name] : undefined) ?? "other";

/** The paths that a tool's input names. */
export function toolPaths(input: JsonObject): string[] {
  return PATH_FIELDS.flatMap((field) => idOf(input[field]) ?? []);
}
