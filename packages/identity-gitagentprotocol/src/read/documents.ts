import type { GapDocument, GapDocuments } from "../model/gap-agent.ts";
import type { IdentityFolder } from "./identity-folder.ts";
import type { Report } from "./report.ts";

/** More of one text is not read. Generous for instructions, small enough for every prompt. */
const MAX_BYTES = 64 * 1024;
const SOUL = "SOUL.md";

/** Reads SOUL, RULES, DUTIES and AGENTS. SOUL.md must exist and say something; undefined (with problems) otherwise. */
export async function readDocuments(folder: IdentityFolder, report: Report): Promise<GapDocuments | undefined> {
  const [soul, rules, duties, agents] = await Promise.all(
    [SOUL, "RULES.md", "DUTIES.md", "AGENTS.md"].map((file) => readDocument(folder, file, report)),
  );
  if (!soul) return undefined;
  const problem = contentProblem(soul.text);
  if (problem) {
    report.issues.push({ ...problem, file: SOUL, pointer: "" });
    return undefined;
  }
  return {
    soul,
    ...(rules && rules.text.trim() !== "" ? { rules } : {}),
    ...(duties && duties.text.trim() !== "" ? { duties } : {}),
    ...(agents && agents.text.trim() !== "" ? { agents } : {}),
  };
}

async function readDocument(folder: IdentityFolder, file: string, report: Report): Promise<GapDocument | undefined> {
  const content = await folder.readText(file, MAX_BYTES);
  if (content.kind === "text") {
    if (content.cut) {
      const message = `Longer than ${MAX_BYTES} bytes: only the beginning is part of the instructions.`;
      report.notices.add("warning", "gap.instructions.cut", file, message);
    }
    return { file, text: content.text };
  }
  if (content.kind === "refused") {
    report.issues.push({ rule: "S1", file, pointer: "", message: content.why });
  } else if (file === SOUL) {
    const message = content.link ? "is a link that leads outside or nowhere" : "is missing";
    report.issues.push({ rule: "S1", file, pointer: "", message });
  } else if (content.link) {
    const message = "The link leads outside or nowhere: the text is not part of the instructions.";
    report.notices.add("warning", "gap.instructions.link", file, message);
  }
  return undefined;
}

function contentProblem(text: string): { rule: string; message: string } | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) return { rule: "S2", message: "is empty" };
  if (lines.every((line) => line.startsWith("#"))) return { rule: "S3", message: "has headings but no text" };
  return undefined;
}
