/**
 * The SDK: create a session, follow its events to the end, answer what it asks.
 * Needs a host (npm start): TOKEN=$(./bin/computeragent token) node examples/wedge1-sdk.mjs
 * HOST may be set.
 */
import { fileURLToPath } from "node:url";
import { createClient, followSession } from "@computeragent/sdk";

const client = createClient({
  baseUrl: process.env.HOST ?? "http://127.0.0.1:7700",
  token: process.env.TOKEN ?? "",
});
const agent = fileURLToPath(new URL("agents/consistency-reviewer", import.meta.url));
// The lines with ! are a script for the offline model; a real model is asked in plain words.
const ask = process.env.ANTHROPIC_API_KEY
  ? "Write a file hello.txt with the word hi, then tell me that it is there."
  : "!write hello.txt hi\n!say I have written hello.txt.";

const { sessionId } = await client.call("createSession", {
  body: {
    engine: "claude-agent-sdk",
    identity: { loader: "gitagentprotocol", source: { type: "local", path: agent } },
    messages: [{ role: "user", content: ask }],
  },
});
await client.call("endInput", { sessionId });

for await (const event of followSession(client, sessionId)) {
  console.log(event.id ?? "-", event.type);
  if (event.type === "ca_permission_request") {
    console.log(`allowing ${event.data.toolName}`);
    const callId = event.data.callId;
    await client.call("answerPermission", { sessionId, callId, body: { decision: "allow" } });
  }
  if (event.type === "ca_session_ended" && event.data.reason !== "complete") process.exitCode = 1;
}
const written = await client.call("fsRead", { sessionId, query: { path: "hello.txt" } });
console.log("hello.txt:", await written.text());
