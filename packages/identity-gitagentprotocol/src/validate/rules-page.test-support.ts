import { RULES } from "./rules.ts";

/** The page of docs/ that explains the rules. */
export function rulesPage(): string {
  const rows = RULES.map(({ id, what, lenient, strict }) => `| ${id} | ${what} | ${lenient} | ${strict} |`);
  return `# Rules for agents

\`computeragent validate <source>\` checks the files of a GitAgentProtocol agent by these rules and lists every problem with its
file, line and RFC 6901 pointer. Errors make an agent invalid. The ids are stable. Those with an X are ours, the
others name what the protocol's own validator checks.

* **lenient** (default) has the severities of the protocol's own validator, but unknown keys, spellings of other dialects, a
  missing description or risk tier are warnings, and nobody needs a compliance block. What is wrong inside of a sub-agent is a
  warning at most. What is valid can be loaded (a source beyond the limits of size and number of files is refused, as a load
  refuses it); what is not, may still load where the loader does not look, as at hooks.
* **strict** (\`--strict\`) judges by the published schemas alone and also asks for a compliance block.

Rules C, D and F look at the compliance block, so without one they find nothing; the protocol's own validator runs them only when
asked to. Where a rule of C, D, F or K4 speaks of a place, the schema's complaint about the same place is left out. Nine of the
ten published schemas are for files and are all checked; the tenth, hook-io, is for the messages of hooks while they run.

Exit codes: 0 valid, 1 invalid, 2 the command line cannot be understood, 3 the source cannot be reached or is refused,
130 interrupted. With \`--json\` stdout holds one object, for the first two only:

| member | what it is |
|---|---|
| \`source\` | as it was given, without secrets |
| \`profile\` | \`lenient\` or \`strict\` |
| \`valid\` | whether no finding is an error |
| \`agent\` | \`{name, version}\` of the manifest, null when it does not say |
| \`sha\` | the commit of a git source, null for others |
| \`findings\` | \`{rule, severity, file, pointer, line, message}\`, sorted by file and line; severity is error, warning or info; the pointer (RFC 6901) names the offending or missing property, "" the file; line is null where there is none |
| \`counts\` | \`{error, warning, info}\` |
| \`notices\` | \`{level, code, path, message}\`: what a session of Claude Code would tell of parts without effect; empty when the agent cannot be loaded |

At most 200 findings of one rule in one file are told; the rest is counted. Members may be added.

| rule | what is wrong | lenient | strict |
|---|---|---|---|
${rows.join("\n")}
`;
}
