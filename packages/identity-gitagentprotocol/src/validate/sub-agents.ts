import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { splitFrontMatter } from "../parse/front-matter.ts";
import { textAt } from "./raw.ts";
import { entriesOf, report, reportFile, type Scope, targetOf, type YamlFile } from "./scope.ts";
import { parseYamlText, readText } from "./yaml-file.ts";

/** Sub-agents of sub-agents are followed so far. */
const MAX_DEPTH = 8;
const MAX_BYTES = 64 * 1024;

/**
 * Every folder and Markdown file in `agents/` (X4-X6); `validate` looks at a folder as at an agent of its own.
 * Returns their names.
 */
export async function checkSubAgents(
  scope: Scope,
  validate: (inner: Scope) => Promise<YamlFile | undefined>,
): Promise<string[]> {
  const names: string[] = [];
  for (const { name, isFolder } of await entriesOf(scope, "agents")) {
    const file = `agents/${name}`;
    if (!isFolder) {
      if (!name.endsWith(".md")) continue;
      names.push(name.slice(0, -".md".length));
      await checkLightweight(scope, file);
      continue;
    }
    names.push(name);
    if ((await targetOf(scope, `${file}/agent.yaml`)) === "missing") {
      reportFile(scope, "X4", file, "has no agent.yaml");
    } else if (scope.depth >= MAX_DEPTH) {
      reportFile(scope, "X5", file, `is more than ${MAX_DEPTH} sub-agents deep: it is not looked at`);
    } else if (await isNew(scope, file)) {
      const manifest = await validate({ ...scope, prefix: `${scope.prefix}${file}/`, depth: scope.depth + 1 });
      const own = manifest && textAt(manifest.data, "name");
      if (manifest && own !== undefined && own !== name) {
        const outer = { ...manifest, file: `${file}/${manifest.file}` };
        report(scope, "X6", outer, ["name"], `the sub-agent calls itself ${JSON.stringify(own)}, its folder ${name}`);
      }
    }
  }
  return names;
}

/** False (with a finding) for a folder that was looked at already: a link back to an agent around it, or to another. */
async function isNew(scope: Scope, file: string): Promise<boolean> {
  const real = await realpath(join(scope.root, scope.prefix, file)).catch(() => undefined);
  if (real !== undefined && !scope.seen.has(real)) {
    scope.seen.add(real);
    return true;
  }
  reportFile(scope, "X5", file, "leads to an agent that was looked at already");
  return false;
}

/** A sub-agent of one file: instructions, perhaps with frontmatter. */
async function checkLightweight(scope: Scope, file: string): Promise<void> {
  const content = await readText(scope, file, "X4", MAX_BYTES);
  if (!content) return;
  const parts = splitFrontMatter(content.text);
  if (parts) parseYamlText(scope, file, parts.yaml, "X4", parts.firstLine);
  if ((parts?.body ?? content.text).trim() === "") reportFile(scope, "X4", file, "has no instructions");
}
