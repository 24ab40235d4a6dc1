import { RULES } from "./rules.ts";

/** The page of docs/ that explains the rules. */
export function rulesPage(): string {
  const rows = RULES.map(({ id, what, lenient, strict }) => `| ${id} | ${what} | ${lenient} | ${strict} |`);
  return `# Rules for agents

\`computeragent validate <source>\` checks the files of a GitAgentProtocol agent by these rules and lists every problem with its
file, line and RFC 6901 pointer. Errors make an agent invalid. The ids are stable; A to F are those of the protocol's own
validator, X are ours.

* **lenient** (default) judges as the loader does: unknown keys and spellings of other dialects are warnings. What is wrong
  inside of a sub-agent is a warning at most.
* **strict** (\`--strict\`) judges by the published schemas alone and also asks for a compliance block.

Rules C, D and F look at the compliance block, so without one they find nothing.

| rule | what is wrong | lenient | strict |
|---|---|---|---|
${rows.join("\n")}
`;
}
