import type { GapAgent } from "../model/gap-agent.ts";
import { NoticeList } from "../model/notices.ts";
import { placeIn } from "../parse/pointer.ts";
import { toGovernance } from "./governance.ts";
import { stitchInstructions } from "./instructions.ts";
import { parseModelName } from "./model-name.ts";
import type { Translation } from "./translation.ts";
import { noteUnsupported } from "./unsupported.ts";

/** For the Claude Agent SDK: instructions, skill names, Claude models only, and what the manifest demands. */
export function toClaudeAgentSdk(agent: GapAgent): Translation {
  const notices = new NoticeList();
  noteUnsupported(agent, notices);
  return {
    instructions: stitchInstructions(agent),
    skillNames: agent.skills.map((skill) => skill.name),
    model: claudeModels(agent, notices),
    governance: toGovernance(agent),
    notices: notices.all(),
  };
}

/** Another vendor's model would fail at the first call, so it is left out: the engine's default or the caller's choice runs. */
function claudeModels({ manifest }: GapAgent, notices: NoticeList): Translation["model"] {
  const claude = (text: string, path: readonly (string | number)[], instead: string): string | undefined => {
    const { provider, model } = parseModelName(text);
    if (provider === "anthropic" || /^claude/i.test(model)) return model;
    notices.add(
      "warning",
      "gap.model.not_claude",
      placeIn("agent.yaml", path),
      `${text} is no Claude model: ${instead}`,
    );
    return undefined;
  };
  const wanted = manifest.model?.preferred;
  const preferred =
    wanted === undefined
      ? undefined
      : claude(wanted, ["model", "preferred"], "the caller's model or the engine's default runs instead.");
  const fallbacks = (manifest.model?.fallback ?? [])
    .map((text, index) => claude(text, ["model", "fallback", index], "it is no fallback here."))
    .filter((model) => model !== undefined)
    .filter((model) => model !== preferred);
  return { ...(preferred === undefined ? {} : { preferred }), fallbacks: [...new Set(fallbacks)] };
}
