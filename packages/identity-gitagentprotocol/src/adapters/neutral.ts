import type { GapAgent } from "../model/gap-agent.ts";
import { NoticeList } from "../model/notices.ts";
import { toGovernance } from "./governance.ts";
import { stitchInstructions } from "./instructions.ts";
import type { Translation } from "./translation.ts";
import { noteUnsupported } from "./unsupported.ts";

/** For engines without a translator of their own: the same profile, with models as the manifest spells them. */
export function toNeutral(agent: GapAgent): Translation {
  const notices = new NoticeList();
  noteUnsupported(agent, notices);
  const preferred = agent.manifest.model?.preferred;
  const fallbacks = (agent.manifest.model?.fallback ?? []).filter((model) => model !== preferred);
  return {
    instructions: stitchInstructions(agent),
    skillNames: agent.skills.map((skill) => skill.name),
    model: { ...(preferred === undefined ? {} : { preferred }), fallbacks: [...new Set(fallbacks)] },
    governance: toGovernance(agent),
    notices: notices.all(),
  };
}
