import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { wrapped } from "../ui/summary.ts";

/** The review that the agent wrote, if it did. */
export async function readReview(workspace: string): Promise<string | undefined> {
  return await readFile(join(workspace, "REVIEW.md"), "utf8").catch(() => undefined);
}

/** What is about to happen, and what of it is real. */
export function introduction(offline: boolean, workspace: string, message: string): string {
  const model = offline
    ? `OFFLINE. ANTHROPIC_API_KEY is not set, so a script stands in for the
       language model. The engine, its tools and all files are real.`
    : "Anthropic, with your ANTHROPIC_API_KEY.";
  return `
Model: ${model}
Agent: examples/agents/consistency-reviewer
Files: ${workspace}
       (a copy of examples/workspaces/parcel-tracker; it stays)
Asked: ${wrapped(message, 7).trimStart()}
`;
}

/** How the run went, and what to do when it failed. */
export function conclusion(code: ExitCode, seconds: number, offline: boolean): string {
  const went = {
    [EXIT.success]: "is done",
    [EXIT.refused]: "was stopped by a limit",
    [EXIT.interrupted]: "was interrupted",
    [EXIT.usage]: "failed",
    [EXIT.failed]: "failed",
  };
  const hint =
    went[code] === "failed" && !offline ? "\nTo see the demo without an account, unset ANTHROPIC_API_KEY." : "";
  return `\nThe agent ${went[code]} after ${seconds.toFixed(1)} s.${hint}`;
}

/** What to try while the host is serving. The lines that begin with `!` are a script for the offline model. */
export function whatNext(url: string, workspace: string, offline: boolean): string {
  const tell = offline
    ? `$'!write hello.txt hi\\n!bash cat hello.txt\\n!say done'`
    : `'Write a file hello.txt with a greeting in it.'`;
  const ask = offline ? String.raw`!read README.md\n!say I have read it.` : "What is README.md about, in one sentence?";
  return `
Try next, in another terminal, in this checkout${offline ? " (lines with ! are a script)" : ""}:

  ./bin/computeragent health --host ${url}

  ./bin/computeragent run examples/agents/consistency-reviewer \\
    --host ${url} --permission auto \\
    -m ${tell}

  curl -N ${url}/v1/chat \\
    -H "Authorization: Bearer $(./bin/computeragent token)" \\
    -H "Content-Type: application/json" -d '{
      "engine": "claude-agent-sdk",
      "messages": [{"role": "user",
        "content": "${ask}"}],
      "workspace": {"type": "local",
        "path": "${workspace}"}}'

Serving on ${url}. Ctrl-C stops it.`;
}
