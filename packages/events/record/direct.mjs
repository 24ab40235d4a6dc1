import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const require = createRequire(new URL("../../engine-claude-agent-sdk/package.json", import.meta.url));

/** Runs Claude Code without a host, and puts around its messages what a host would say. */
export async function recordDirectly({ env, script }, model, workspace) {
  const { query } = await import(require.resolve("@anthropic-ai/claude-agent-sdk"));
  const home = await mkdtemp(join(tmpdir(), "direct-"));
  const text = script.join("\n");
  const events = [];
  const add = (type, data) => events.push({ id: events.length, type, data });
  add("ca_session_started", {
    sessionId: "sess_direct",
    harness: "claude-agent-sdk",
    gap: null,
    model: null,
    route: null,
    capabilities: ["partials"],
    protocolVersion: "2026-11-30",
    epoch: "direct",
  });
  add("ca_turn_started", { turnId: "turn_direct", messageIds: ["msg_direct"] });
  const prompt = (async function* () {
    yield { type: "user", message: { role: "user", content: text }, parent_tool_use_id: null };
  })();
  const options = {
    cwd: workspace,
    settingSources: [],
    permissionMode: "default",
    includePartialMessages: true,
    canUseTool: async (_name, input) => ({ behavior: "allow", updatedInput: input }),
    env: {
      PATH: process.env.PATH,
      HOME: home,
      CLAUDE_CONFIG_DIR: join(home, "claude"),
      CLAUDE_CODE_TMPDIR: join(home, "tmp"),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_AUTH_TOKEN: "offline",
      ...env,
    },
  };
  for await (const message of query({ prompt, options })) add("sdk_message", message);
  const usage = { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 0 };
  add("ca_turn_ended", { turnId: "turn_direct", messageIds: ["msg_direct"], reason: "complete", usage });
  add("ca_session_ended", { reason: "complete" });
  await rm(home, { recursive: true, force: true });
  return { messages: [{ messageId: "msg_direct", text, after: 0 }], events };
}
