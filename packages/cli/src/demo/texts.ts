import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The review that the agent wrote, if it did. */
export async function readReview(workspace: string): Promise<string | undefined> {
  return await readFile(join(workspace, "REVIEW.md"), "utf8").catch(() => undefined);
}

/** What to try while the host is serving. */
export function whatNext(url: string, workspace: string): string {
  return `
Try next, in another terminal:
  ./bin/computeragent health --host ${url}
  ./bin/computeragent run examples/agents/consistency-reviewer --host ${url} --permission auto \\
      -m $'!read agent.yaml\\n!write hello.txt hi\\n!bash cat hello.txt\\n!say done'
  curl -N ${url}/v1/chat -H "Authorization: Bearer $(./bin/computeragent token)" -H "Content-Type: application/json" \\
      -d '{"engine":"claude-agent-sdk","workspace":{"type":"local","path":"${workspace}"},"messages":[{"role":"user","content":"!read README.md\\n!say I have read it."}]}'

Serving on ${url}. Ctrl-C stops it.`;
}
