import { splitFrontMatter } from "../parse/front-matter.ts";
import type { DataPath } from "../parse/pointer.ts";
import { SkillFrontMatter } from "../schema/skill.ts";
import { normaliseSkill } from "./dialects.ts";
import { textAt, valueAt } from "./raw.ts";
import type { RuleId } from "./rules.ts";
import { entriesOf, report, reportFile, type Scope, targetOf, type YamlFile } from "./scope.ts";
import type { Named } from "./tools.ts";
import { checkSchema, parseYamlText, readText } from "./yaml-file.ts";

const MAX_BYTES = 256 * 1024;
const MAX_BODY = 20_000;
/** The loader reads no more of a frontmatter. */
const MAX_FRONT_MATTER = 16 * 1024;

/** Every `skills/<name>/SKILL.md`: K1-K5, X1, X2. */
export async function checkSkills(scope: Scope): Promise<Named[]> {
  const skills: Named[] = [];
  for (const { name: stem, isFolder } of await entriesOf(scope, "skills")) {
    const file = `skills/${stem}/SKILL.md`;
    if (!isFolder || (await targetOf(scope, file)) === "missing") continue;
    const yaml = await readSkill(scope, file);
    const name = yaml && textAt(yaml.data, "name");
    skills.push({ stem, ...(yaml ? { yaml } : {}), ...(name === undefined ? {} : { name }) });
    if (!yaml) continue;
    checkSchema(scope, yaml, SkillFrontMatter, ruleOf, normaliseSkill);
    checkLengths(scope, yaml);
    if (name !== undefined && name !== stem) {
      report(scope, "K3", yaml, ["name"], `the skill calls itself ${JSON.stringify(name)}, its folder ${stem}`);
    }
  }
  return skills;
}

/** A skill cannot do without its name and description, nor without frontmatter. */
function ruleOf(path: DataPath, data: unknown): RuleId {
  const essential = path.length === 0 || (path.length === 1 && (path[0] === "name" || path[0] === "description"));
  const value = valueAt(data, ...path);
  return essential && (path.length === 0 || value === undefined || value === null || value === "") ? "K1" : "K2";
}

async function readSkill(scope: Scope, file: string): Promise<YamlFile | undefined> {
  const content = await readText(scope, file, "K1", MAX_BYTES);
  if (!content) return undefined;
  const problem = (message: string): undefined => void reportFile(scope, "K1", file, message);
  if (content.cut) return problem(`is larger than ${MAX_BYTES} bytes`);
  const parts = splitFrontMatter(content.text);
  if (!parts) return problem("must begin with frontmatter between two lines of ---");
  if (parts.yaml.length > MAX_FRONT_MATTER)
    return problem(`has more than ${MAX_FRONT_MATTER} characters of frontmatter`);
  if (parts.body.length > MAX_BODY) {
    reportFile(scope, "K5", file, `has ${parts.body.length} characters of text: keep it under ${MAX_BODY + 1}`);
  }
  return parseYamlText(scope, file, parts.yaml, "K1", parts.firstLine);
}

function checkLengths(scope: Scope, yaml: YamlFile): void {
  const name = textAt(yaml.data, "name") ?? "";
  if (name.length > 64) report(scope, "K4", yaml, ["name"], "must have at most 64 characters");
  else if (/--|^-|-$/.test(name)) {
    report(scope, "K4", yaml, ["name"], "must not begin or end with a hyphen, nor hold two in a row");
  }
  const description = textAt(yaml.data, "description") ?? "";
  if ([...description].length > 1024) {
    report(scope, "K4", yaml, ["description"], "must have at most 1024 characters");
  }
}
