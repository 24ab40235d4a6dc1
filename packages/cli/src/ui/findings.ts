import type { SourceValidation } from "@computeragent/identity-gitagentprotocol";
import { oneLine } from "./summary.ts";

/** The findings of a validation for people: grouped by file, with a verdict as the last line. */
export function findingsText(
  source: string,
  { agent, sha, profile, valid, findings, counts, notices }: SourceValidation,
): string {
  const lines: string[] = [];
  let file: string | undefined;
  for (const finding of findings) {
    if (finding.file !== file) lines.push(...(file === undefined ? [] : [""]), plain(finding.file));
    file = finding.file;
    const line = finding.line === null ? "" : `line ${finding.line}, `;
    const place = finding.pointer === "" ? "" : `${plain(finding.pointer)}: `;
    lines.push(`  ${finding.severity.padEnd(7)} ${place}${plain(finding.message)} (${line}${finding.rule})`);
  }
  const who = agent ? `${plain(agent.name)} ${plain(agent.version)}` : plain(source);
  const found = [
    counted(counts.error, "error", "errors"),
    counted(counts.warning, "warning", "warnings"),
    counted(counts.info, "remark", "remarks"),
  ].filter((text) => text !== "");
  const commit = sha === null ? "" : ` at ${sha.slice(0, 12)}`;
  const verdict = valid ? "valid" : "invalid";
  if (lines.length > 0) lines.push("");
  const idle = notices.filter(({ code }) => code.startsWith("gap.unsupported.")).length;
  if (idle > 0)
    lines.push(`${counted(idle, "part", "parts")} of it would have no effect in a session: --json names them`);
  lines.push(`${who}${commit} is ${verdict} (${profile}): ${found.join(", ") || "nothing to report"}`);
  return lines.join("\n");
}

function counted(count: number, one: string, many: string): string {
  return count === 0 ? "" : `${count} ${count === 1 ? one : many}`;
}

/** Text from an agent's files on one line of a terminal: control characters are not passed on. */
function plain(text: string): string {
  return oneLine(text, 400);
}
