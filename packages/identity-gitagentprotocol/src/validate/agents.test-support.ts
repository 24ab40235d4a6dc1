import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Files of an agent by path; null leaves a file of the base out, "-> target" makes a link, "<folder>" a folder. */
export type Files = Readonly<Record<string, string | null>>;

const HEAD = "name: tiny\nversion: 1.0.0\ndescription: Tiny\n";
const SAFE = "supervision: {human_in_the_loop: always}, recordkeeping: {audit_logging: true}";

/** A manifest with further lines, under the lowest risk tier. */
export const manifest = (more = ""): Files => ({ "agent.yaml": `${HEAD}compliance: {risk_tier: low}\n${more}` });

/** A manifest with these members of a compliance block, in flow style. */
export const compliance = (members: string, more = ""): Files => ({
  "agent.yaml": `${HEAD}compliance: {${members}}\n${more}`,
});

/** A manifest of high risk that lacks nothing; `members` are added to the block. */
export const highRisk = (members = "", more = "", block = SAFE): Files => ({
  ...compliance(`risk_tier: high, ${block}${members}`, more),
  "compliance/regulatory-map.yaml": "mappings: []\n",
  "compliance/validation-schedule.yaml": "schedule: []\n",
  "compliance/risk-assessment.md": "Low.\n",
});

/** A compliance block with roles `a` and `b` that exclude each other; `members` replace the conflict or add to it. */
export const duties = (members: string, conflicts = "[[a, b]]", more = ""): Files =>
  compliance(`risk_tier: low, ${sod(members, conflicts)}`, more);

/** The `segregation_of_duties` member. */
export const sod = (members = "", conflicts = "[[a, b]]"): string =>
  `segregation_of_duties: {roles: [{id: a, description: A}, {id: b, description: B}], conflicts: ${conflicts}${members}}`;

/** A tool's definition with further lines. */
export const tool = (name: string, more = ""): string =>
  `name: ${name}\ndescription: Does\ninput_schema: {type: object, properties: {}}\n${more}`;

/** A skill's file with further lines of frontmatter. */
export const skill = (name: string, more = "", body = "Do it.\n"): string =>
  `---\nname: ${name}\ndescription: Does\n${more}---\n${body}`;

/** A workflow with these steps. */
export const workflow = (steps: string): string => `name: w\nsteps:\n${steps}`;

/** Writes a tiny valid agent with these files of its own into a folder that is removed at the end of the scope. */
export async function agentWith(files: Files): Promise<AsyncDisposable & { readonly dir: string }> {
  const root = await mkdtemp(join(tmpdir(), "gap-validate-"));
  const dir = join(root, "agent");
  await mkdir(dir);
  for (const [path, text] of Object.entries({ "SOUL.md": "You are tiny.\n", ...manifest(), ...files })) {
    if (text === null) continue;
    const at = join(dir, path);
    await mkdir(dirname(at), { recursive: true });
    if (text === "<folder>") await mkdir(at, { recursive: true });
    else if (text.startsWith("-> ")) await symlink(text.slice(3), at);
    else await writeFile(at, text);
  }
  return { dir, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}
