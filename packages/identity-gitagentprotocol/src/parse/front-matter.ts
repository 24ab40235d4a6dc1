/** A Markdown file in two parts. `firstLine` is the line (from 1) on which the YAML begins. */
export interface FrontMatter {
  readonly yaml: string;
  readonly body: string;
  readonly firstLine: number;
}

/** Splits a text (LF line ends) that begins with `---`; undefined when it has no closed frontmatter. */
export function splitFrontMatter(text: string): FrontMatter | undefined {
  const lines = text.split("\n");
  if (lines[0]?.trimEnd() !== "---") return undefined;
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  if (end === -1) return undefined;
  return {
    yaml: lines.slice(1, end).join("\n"),
    body: lines
      .slice(end + 1)
      .join("\n")
      .replace(/^\n+/, ""),
    firstLine: 2,
  };
}
