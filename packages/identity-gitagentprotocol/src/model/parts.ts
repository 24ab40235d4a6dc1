/** What a repository may hold of an agent: the first step of each path. */
const PARTS = new Set([
  ...["agent.yaml", "SOUL.md", "RULES.md", "DUTIES.md", "AGENTS.md", "skills", "tools", "agents", "knowledge"],
  ...["memory", "hooks", "workflows", "config", "compliance", "examples"],
]);

/** Files and folders that stand for a part as a whole; what agents write at work, such as memory, is not among them. */
const WHOLE =
  /^(?:agent\.yaml|(?:SOUL|RULES|DUTIES|AGENTS)\.md|skills(?:\/[^/._][^/]*(?:\/SKILL\.md)?)?|agents(?:\/[^/._][^/]*)?|(?:tools|workflows)(?:\/[^/._][^/]*\.yaml)?|knowledge(?:\/index\.yaml)?|hooks(?:\/hooks\.yaml)?)$/;

/** Whether a path of a repository belongs to a part of the agent. */
export function isOfPart(path: string): boolean {
  return PARTS.has(path.split("/", 1)[0] ?? "");
}

/** Whether a path of a repository is a part of the agent as a whole, so that the agent differs without it. */
export function isWholePart(path: string): boolean {
  return WHOLE.test(path);
}
