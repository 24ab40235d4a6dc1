import type { Risk, ToolKind } from "@computeragent/protocol";
import type { Use } from "../ledger.ts";

/** How a known tool is judged. */
export type ToolRule =
  /** Uses the paths in its fields; `pattern` fields may hold a path as well; without a path it uses the workspace, or is unclear. */
  | { readonly type: "files"; readonly use: Use; readonly pathless: "workspace" | "unclear" }
  /** Runs the command line in its fields. */
  | { readonly type: "command" }
  /** Applies a patch in Codex's format. */
  | { readonly type: "patch" }
  /** The same whatever its input. */
  | {
      readonly type: "fixed";
      readonly kind: ToolKind;
      readonly risk: Risk;
      readonly reason: string;
      readonly outside?: boolean;
    };

const files = (use: Use, pathless: "workspace" | "unclear" = "unclear"): ToolRule => ({ type: "files", use, pathless });
const fixed = (kind: ToolKind, risk: Risk, reason: string): ToolRule => ({ type: "fixed", kind, risk, reason });

const search = files("read", "workspace");
const command: ToolRule = { type: "command" };
const network = fixed("network", "high", "it uses the network");
const asks = fixed("interaction", "low", "it asks the user");
const bookkeeping = fixed("other", "low", "it only keeps the agent's own books");
const opaque = fixed("execute", "destructive", "its command language is not understood");

const RULES: readonly (readonly [names: string, rule: ToolRule])[] = [
  // Claude
  ["Read NotebookRead", files("read")],
  ["Glob Grep LS LSP", search],
  ["Write", files("overwrite")],
  ["Edit MultiEdit NotebookEdit", files("write")],
  ["Bash", command],
  ["PowerShell", opaque],
  ["WebFetch WebSearch", network],
  ["AskUserQuestion ExitPlanMode", asks],
  [
    "TodoWrite TodoRead Task Agent TaskCreate TaskUpdate TaskList TaskGet TaskOutput TaskStop BashOutput AgentOutput KillShell KillBash Skill SlashCommand ToolSearch EnterPlanMode StructuredOutput ListMcpResourcesTool",
    bookkeeping,
  ],
  ["ReadMcpResourceTool", fixed("read", "medium", "it reads from an MCP server")],
  // Codex
  ["exec_command shell shell_command local_shell container.exec", command],
  ["apply_patch", { type: "patch" }],
  ["view_image", files("read")],
  ["update_plan list_mcp_resources list_mcp_resource_templates", bookkeeping],
  ["read_mcp_resource", fixed("read", "medium", "it reads from an MCP server")],
  ["web_search", network],
  ["write_stdin", fixed("execute", "high", "it types into a running program")],
  ["request_user_input", asks],
  // Gemini
  ["run_shell_command", command],
  ["read_file", files("read")],
  ["read_many_files glob search_file_content grep_search list_directory", search],
  ["write_file", files("overwrite")],
  ["replace edit", files("write")],
  ["web_fetch google_web_search", network],
  ["write_todos activate_skill enter_plan_mode codebase_investigator", bookkeeping],
  ["ask_user exit_plan_mode", asks],
  [
    "save_memory",
    {
      type: "fixed",
      kind: "write",
      risk: "high",
      reason: "it writes the agent's memory outside the workspace",
      outside: true,
    },
  ],
  // OpenCode, and the kinds of the Agent Client Protocol
  ["bash execute", command],
  ["read", files("read")],
  ["grep list search", search],
  ["write", files("overwrite")],
  ["move", files("overwrite")],
  ["delete", files("delete")],
  ["patch", { type: "patch" }],
  ["webfetch websearch fetch", network],
  ["todowrite todoread task skill think", bookkeeping],
  ["question switch_mode", asks],
];

let table: ReadonlyMap<string, ToolRule> | undefined;

/** The rule of a built-in tool of Claude, Codex, Gemini, OpenCode or an ACP agent; undefined for any other tool. */
export function toolRule(name: string): ToolRule | undefined {
  table ??= new Map(RULES.flatMap(([names, rule]) => names.split(" ").map((one) => [one, rule] as const)));
  return table.get(name);
}
