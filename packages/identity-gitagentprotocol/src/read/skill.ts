import type { GapSkill } from "../model/gap-agent.ts";
import { splitFrontMatter } from "../parse/front-matter.ts";
import { placeIn } from "../parse/pointer.ts";
import { SkillFrontMatter } from "../schema/skill.ts";
import type { IdentityFolder } from "./identity-folder.ts";
import type { Report } from "./report.ts";
import { readData, readYaml } from "./structured.ts";

const MAX_BYTES = 256 * 1024;
const MAX_FRONT_MATTER = 16 * 1024;
const RULES = { parse: "K1", schema: "K2" };

/** Reads one skill; undefined when it cannot be used, with a problem or (for a folder without SKILL.md) a notice. */
export async function readSkill(folder: IdentityFolder, name: string, report: Report): Promise<GapSkill | undefined> {
  const file = `skills/${name}/SKILL.md`;
  const problem = (message: string): undefined => {
    report.issues.push({ rule: RULES.parse, file, pointer: "", message });
  };
  const content = await folder.readText(file, MAX_BYTES);
  if (content.kind === "missing") {
    const message = `${content.link ? "SKILL.md leads outside or nowhere" : "The folder has no SKILL.md"}: it is no skill.`;
    report.notices.add("warning", "gap.skill.empty", `skills/${name}`, message);
    return undefined;
  }
  if (content.kind === "refused") return problem(content.why);
  if (content.cut) return problem(`is larger than ${MAX_BYTES} bytes`);
  const parts = splitFrontMatter(content.text);
  if (!parts) return problem("must begin with frontmatter between two lines of ---");
  if (parts.yaml.length > MAX_FRONT_MATTER)
    return problem(`has more than ${MAX_FRONT_MATTER} characters of frontmatter`);
  const source = readYaml(file, parts.yaml, RULES, report, parts.firstLine);
  if (!source) return undefined;
  forgive(source.data, file, report);
  const frontMatter = readData(file, source, SkillFrontMatter, RULES, report);
  if (!frontMatter) return undefined;
  if (frontMatter.name !== name) {
    const message = `The skill calls itself "${frontMatter.name}"; its folder's name is used.`;
    report.notices.add("warning", "gap.skill.name", placeIn(file, ["name"]), message);
  }
  if (frontMatter["allowed-tools"] !== undefined) {
    const message = "A skill cannot pre-approve tools: every call is authorised as usual.";
    report.notices.add("info", "gap.unsupported.allowed_tools", placeIn(file, ["allowed-tools"]), message);
  }
  return { name, frontMatter, body: parts.body };
}

/** Two slips that harm nobody: `allowed-tools` as a list, and metadata such as `version: 1.0` without quotes. */
function forgive(data: unknown, file: string, report: Report): void {
  if (!isObject(data)) return;
  const tools = data["allowed-tools"];
  if (Array.isArray(tools) && tools.every((tool) => typeof tool === "string")) {
    data["allowed-tools"] = tools.join(" ");
    note(["allowed-tools"], "Should be text with spaces between the names, not a list.");
  }
  const metadata = data.metadata;
  if (!isObject(metadata)) return;
  for (const [key, value] of Object.entries(metadata)) {
    if (typeof value !== "number" && typeof value !== "boolean") continue;
    metadata[key] = String(value);
    note(["metadata", key], "Should be text: put it in quotes.");
  }

  function note(path: string[], message: string): void {
    report.notices.add("info", "gap.skill.spelling", placeIn(file, path), message);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
