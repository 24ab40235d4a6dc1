import { rule } from "./rule.ts";

/** Rules of the manifest and of the parts that it names. */
export const PART_RULES = [
  rule("A1", "`agent.yaml` is missing, cannot be read, or is not one YAML document", "error"),
  rule("A2", "`agent.yaml` violates its schema (unknown keys: X1, other dialects: X2, no description: X3)", "error"),
  rule("A3", "a skill that the manifest lists has no folder", "error"),
  rule("A4", "the folder of a listed skill has no SKILL.md", "warning", "error"),
  rule("A5", "a tool that the manifest lists has no `tools/<name>.yaml`", "error"),
  rule("A6", "a sub-agent of the manifest has neither a folder nor a Markdown file in `agents/`", "error"),
  rule("S1", "`SOUL.md` is missing or cannot be read", "error"),
  rule("S2", "`SOUL.md` is empty", "error"),
  rule("S3", "`SOUL.md` has headings but no text", "error"),
  rule("H1", "`hooks/hooks.yaml` violates its schema", "error"),
  rule("H2", "the script of a hook is missing", "error"),
  rule("H3", "`hooks/hooks.yaml` cannot be read or is not one YAML document", "error"),
  rule("T1", "a file in `tools/` violates the schema of tools", "warning", "error"),
  rule("T2", "a file in `tools/` cannot be read or is not one YAML document", "warning", "error"),
  rule("K1", "a SKILL.md cannot be read, has no frontmatter, or lacks name or description in it", "error"),
  rule("K2", "the frontmatter of a SKILL.md violates its schema", "error"),
  rule("K3", "a skill's name differs from the name of its folder", "warning"),
  rule("K4", "a skill's name or description is too long, or its name has a hyphen too many", "error"),
  rule("K5", "the text of a skill has more than 20 000 characters", "warning"),
] as const;
