import type { GapAgent } from "../model/gap-agent.ts";

/** The text for an engine's system prompt: who the agent is, then its documents, each under a heading with its file. */
export function stitchInstructions({ manifest, documents, knowledge }: GapAgent): string {
  const { soul, rules, duties, agents } = documents;
  const sections = [
    section(`Agent: ${manifest.name}`, manifest.description),
    section("Identity (SOUL.md)", soul.text),
    rules && section("Rules (RULES.md)", rules.text),
    duties && section("Duties (DUTIES.md)", duties.text),
    agents && section("Working notes (AGENTS.md)", agents.text),
    ...knowledge.map(({ file, text }) => section(`Knowledge (${file})`, text)),
  ];
  return sections.filter((text) => text !== undefined).join("\n\n");
}

function section(heading: string, text: string): string {
  return `# ${heading}\n\n${text.trim()}`;
}
