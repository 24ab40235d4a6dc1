import type { IdentityLoader, LoadRequest, LoadResult } from "@computeragent/protocol";
import { writeSkillPlugin } from "./adapters/skill-plugin.ts";
import { translate } from "./adapters/translate.ts";
import { Budget } from "./files/budget.ts";
import { NoticeList } from "./model/notices.ts";
import { type GapLoaderOptions, IDENTITY_LIMITS, type SourceLimits } from "./options.ts";
import { readAgent } from "./read/read-agent.ts";
import { materialise } from "./sources/materialise.ts";
import { shownName } from "./sources/shown-name.ts";
import { withinSource } from "./sources/within-source.ts";

/** Makes the loader for GitAgentProtocol identities, named `gitagentprotocol`. Loads may run side by side. */
export function createGapLoader(options: GapLoaderOptions): IdentityLoader {
  const limits = { ...IDENTITY_LIMITS, ...options.limits };
  return {
    name: "gitagentprotocol",
    load: async (request) => {
      const { signal, dir, generatedDir } = request;
      const scope = { signal, timeoutMs: limits.timeoutMs, dirs: [dir, generatedDir] };
      return withinSource({ ...scope, shown: shownName(request.source) }, (inTime) =>
        load({ ...request, signal: inTime }, options, limits),
      );
    },
  };
}

async function load(request: LoadRequest, options: GapLoaderOptions, limits: SourceLimits): Promise<LoadResult> {
  const { source, dir, generatedDir, signal } = request;
  const found = new NoticeList();
  const sha = await materialise(source, { dir, generatedDir, options, limits, notices: found, signal });
  const { agent, notices } = await readAgent(dir);
  const { instructions, skillNames, engine, model, governance, ...translation } = translate(
    agent,
    request.targetEngine,
  );
  const budget = new Budget(limits);
  const pluginDir =
    skillNames.length === 0
      ? undefined
      : await writeSkillPlugin(agent, dir, generatedDir, { budget, notices: found, signal });
  return {
    info: { name: agent.manifest.name, version: agent.manifest.version, sha },
    profile: {
      instructions,
      ...(pluginDir === undefined ? {} : { skills: { pluginDir, names: skillNames } }),
      ...(engine === undefined ? {} : { engine }),
    },
    governance,
    model,
    notices: [...found.all(), ...notices, ...translation.notices],
  };
}
