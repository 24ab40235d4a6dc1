import type { GapSkill } from "../model/gap-agent.ts";
import type { AgentYaml } from "../schema/agent-yaml.ts";
import type { IdentityFolder } from "./identity-folder.ts";
import { MANIFEST } from "./manifest.ts";
import type { Report } from "./report.ts";
import { readSkill } from "./skill.ts";

const FOLDER_NAME = /^[a-z][a-z0-9-]{0,63}$/;

/** Reads the enabled skills: those the manifest lists, or all on disk when it has no list. */
export async function readSkills(
  folder: IdentityFolder,
  { manifest, lineOf }: { manifest: AgentYaml; lineOf: (path: readonly (string | number)[]) => number },
  report: Report,
): Promise<GapSkill[]> {
  const onDisk = (await folder.list("skills")).filter((entry) => entry.isFolder).map((entry) => entry.name);
  const listed = manifest.skills;
  const skills: GapSkill[] = [];
  for (const [index, name] of (listed ?? []).entries()) {
    if (onDisk.includes(name)) continue;
    const message = `there is no folder skills/${name} (line ${lineOf(["skills", index])})`;
    report.issues.push({ rule: "A3", file: MANIFEST, pointer: `/skills/${index}`, message });
  }
  for (const name of onDisk) {
    const path = `skills/${name}`;
    if (listed && !listed.includes(name)) {
      report.notices.add("info", "gap.skill.not_listed", path, "The manifest does not list this skill: it is off.");
    } else if (!FOLDER_NAME.test(name)) {
      const message = "The folder's name is no skill name (lower-case letters, digits, hyphens): the skill is off.";
      report.notices.add("warning", "gap.skill.name", path, message);
    } else {
      const skill = await readSkill(folder, name, report);
      if (skill) skills.push(skill);
    }
  }
  return skills;
}
