import type { GapAgent } from "../model/gap-agent.ts";
import { toClaudeAgentSdk } from "./claude-agent-sdk.ts";
import { toNeutral } from "./neutral.ts";
import type { Translation, Translator } from "./translation.ts";

const TRANSLATORS: ReadonlyMap<string, Translator> = new Map([
  ["claude-agent-sdk", toClaudeAgentSdk],
  ["mock", toNeutral],
]);

/** Makes an agent fit the engine of that name; engines nobody wrote a translator for get the neutral profile and a notice. */
export function translate(agent: GapAgent, targetEngine: string): Translation {
  const translator = TRANSLATORS.get(targetEngine);
  if (translator) return translator(agent);
  const translation = toNeutral(agent);
  const message = `There is no translation for the engine "${targetEngine}": it gets instructions, skills, model and limits.`;
  return {
    ...translation,
    notices: [...translation.notices, { level: "info", code: "gap.engine.neutral", message }],
  };
}
