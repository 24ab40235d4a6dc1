import { rule } from "./rule.ts";

/** Rules beyond those of upstream. */
export const OWN_RULES = [
  rule("X1", "a key that the published schema does not know", "warning", "error"),
  rule("X2", "a spelling of another GitAgentProtocol dialect, which is understood", "warning", "error"),
  rule("X3", "`agent.yaml` has no description", "warning", "error"),
  rule("X4", "a sub-agent's folder has no `agent.yaml`, or its file has no instructions", "warning", "error"),
  rule("X5", "sub-agents are nested more than 8 deep, or one contains itself through a link", "warning", "error"),
  rule("X6", "a sub-agent's name differs from the name of its folder", "warning"),
  rule("X7", "`delegation.mode` is router and `router` is missing, or no sub-agent has its name", "warning", "error"),
  rule("X8", "a tool's name differs from the name of its file", "warning", "error"),
  rule("X9", "the script of a tool is missing", "warning", "error"),
  rule("X10", "a path leads outside of the agent, or out of `hooks/` for a hook", "warning", "error"),
  rule("X11", "two skills or two tools have one name, or a skill and a tool share theirs", "warning"),
  rule("X12", "a skill, tool or sub-agent is on disk and the manifest's list leaves it out", "info"),
  rule("X13", "`memory/memory.yaml` cannot be read or violates its schema", "warning", "error"),
  rule("X14", "`memory/MEMORY.md` has more than 200 lines", "warning"),
  rule("X15", "`knowledge/index.yaml` cannot be read or violates its schema", "warning", "error"),
  rule("X16", "a document of the knowledge index is missing", "warning", "error"),
  rule("X17", "a workflow cannot be read or violates its schema", "warning", "error"),
  rule("X18", "a workflow repeats a step's id, depends on an unknown step, or in a circle", "warning", "error"),
  rule("X19", "a workflow's step names a skill, tool or sub-agent that does not exist", "warning", "error"),
  rule("X20", "a file in `config/` cannot be read or violates its schema", "warning", "error"),
  rule("X21", "RULES.md, DUTIES.md or AGENTS.md cannot be read", "error"),
  rule("X22", "a text is longer than what is read of it", "warning"),
  rule(
    "X23",
    "there is more than is looked at: entries of a folder, or YAML in all files together",
    "warning",
    "error",
  ),
] as const;
