import { constants } from "node:fs";
import { chmod, copyFile, mkdir, readdir, realpath, stat, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { stringify } from "yaml";
import type { Budget } from "../files/budget.ts";
import { MAX_DEPTH } from "../files/safe-path.ts";
import type { GapAgent, GapSkill } from "../model/gap-agent.ts";
import type { NoticeList } from "../model/notices.ts";

/** Name of the generated plug-in; engines that qualify skills show them as `gap:<skill>`. */
const PLUGIN_NAME = "gap";
const EXCLUSIVE = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;

/**
 * Writes the enabled skills as a plug-in folder: a manifest and real copies, no links and nothing else, so no hooks,
 * commands or servers can ride along. Returns its path.
 */
export async function writeSkillPlugin(
  agent: GapAgent,
  identityDir: string,
  generatedDir: string,
  { budget, notices, signal }: Pick<FolderCopy, "budget" | "notices" | "signal">,
): Promise<string> {
  const pluginDir = join(generatedDir, PLUGIN_NAME);
  await mkdir(join(pluginDir, ".claude-plugin"), { recursive: true, mode: 0o700 });
  const { name, version } = agent.manifest;
  const plugin = { name: PLUGIN_NAME, version, description: `Skills of the agent ${name}` };
  await writeFile(join(pluginDir, ".claude-plugin", "plugin.json"), `${JSON.stringify(plugin, null, 2)}\n`);
  const root = await realpath(identityDir);
  for (const skill of agent.skills) {
    const from = await realpath(join(root, "skills", skill.name));
    const to = join(pluginDir, "skills", skill.name);
    await mkdir(join(pluginDir, "skills"), { recursive: true, mode: 0o700 });
    await copyFolder({
      root,
      from,
      to,
      path: `skills/${skill.name}`,
      around: [],
      isTop: true,
      budget,
      notices,
      signal,
    });
    await writeFile(join(to, "SKILL.md"), skillText(skill), { flag: "wx" });
  }
  return pluginDir;
}

/**
 * SKILL.md with the frontmatter that was checked and nothing more: neither `allowed-tools`, which would pre-approve
 * tools, nor keys that an engine may understand and the protocol does not.
 */
function skillText({ name, frontMatter, body }: GapSkill): string {
  const { "allowed-tools": _allowed, name: _name, ...rest } = frontMatter;
  return `---\n${stringify({ name, ...rest }, { lineWidth: 0 })}---\n\n${body}`;
}

interface FolderCopy {
  readonly root: string;
  /** Real path. */
  readonly from: string;
  readonly to: string;
  /** For notices. */
  readonly path: string;
  /** Real paths of the folders around this one: a link back to one of them would never end. */
  readonly around: readonly string[];
  readonly isTop: boolean;
  /** Links may multiply what is copied. */
  readonly budget: Budget;
  readonly notices: NoticeList;
  readonly signal: AbortSignal;
}

async function copyFolder(copy: FolderCopy): Promise<void> {
  const { root, from, to, path, around, budget, notices, signal } = copy;
  signal.throwIfAborted();
  await mkdir(to, { mode: 0o700 });
  for (const name of (await readdir(from)).sort()) {
    if (copy.isTop && name === "SKILL.md") continue;
    const source = await realpath(join(from, name)).catch(() => undefined);
    const inside = source === root || source?.startsWith(root + sep);
    const stats = source !== undefined && inside ? await stat(source) : undefined;
    const next = { ...copy, to: join(to, name), path: `${path}/${name}`, around: [...around, from], isTop: false };
    budget.spend(stats?.isFile() ? stats.size : 0);
    if (source !== undefined && stats?.isFile()) {
      await copyFile(source, next.to, EXCLUSIVE);
      await chmod(next.to, (stats.mode & 0o777) | 0o600);
    } else if (
      source !== undefined &&
      stats?.isDirectory() &&
      !next.around.includes(source) &&
      around.length < MAX_DEPTH
    ) {
      await copyFolder({ ...next, from: source });
    } else {
      notices.add("warning", "gap.skill.link", next.path, "Leads in a circle or outside: it is not part of the skill.");
    }
  }
}
