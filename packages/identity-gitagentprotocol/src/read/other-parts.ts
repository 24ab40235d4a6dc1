import type { IdentityFolder } from "./identity-folder.ts";

/** What a repository may hold besides manifest, texts and skills. */
const PARTS = [
  ".agents/skills",
  ".claude/skills",
  ".gitagent_adapter",
  ".github/skills",
  ".github_models",
  ".lyzr_agent_id",
  "PROMPT.md",
  "agents",
  "compliance",
  "config",
  "context.md",
  "examples",
  "hooks",
  "knowledge",
  "memory",
  "tools",
  "workflows",
] as const;

/** Which of them exist, sorted. */
export async function findOtherParts(folder: IdentityFolder): Promise<string[]> {
  const found: string[] = [];
  for (const part of PARTS) if ((await folder.resolve(part)) !== undefined) found.push(part);
  return found;
}
