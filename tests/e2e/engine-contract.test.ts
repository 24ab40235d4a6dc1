import { createClaudeAgentEngine } from "@computeragent/engine-claude-agent-sdk";
import { createModelBroker, routesFromEnv } from "@computeragent/model-broker";
import { createSupervisor } from "@computeragent/supervisor";
import { engineContract } from "@computeragent/testing";
import { afterAll, describe, it } from "vitest";

const supervisor = await createSupervisor({ hostId: `contract-${process.pid}` });
const broker = await createModelBroker({ routes: routesFromEnv({}) });
const driver = createClaudeAgentEngine({ supervisor, maxRetries: 2 });
afterAll(async () => {
  await driver.dispose?.();
  await broker[Symbol.asyncDispose]();
  await supervisor[Symbol.asyncDispose]();
});

let sessions = 0;
/** Model access of one session, as the host opens it. */
const openModel = async () => {
  const grant = await broker.open({
    sessionId: `contract-${++sessions}`,
    limits: {},
    onUsage: () => {},
    onExhausted: () => {},
    onNotice: () => {},
  });
  return { fallbacks: [], access: { route: grant.route, baseUrl: grant.baseUrl, token: grant.token } };
};

describe("the Claude engine with the real broker and the offline model", () => {
  for (const c of engineContract(() => ({ driver, openModel }), driver.capabilities)) {
    it(`${c.id}: ${c.behaviour}`, { timeout: 120_000 }, c.run);
  }
});
