import { type EventJournal, FencedError } from "@computeragent/protocol";
import { createMockEngine, jsonOf } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { createMemoryJournal } from "../journal/memory.ts";
import type { Logger } from "../logger.ts";
import { boot } from "../rig.test-support.ts";

/** A memory journal that refuses what `refuses` says. */
function breakable() {
  const memory = createMemoryJournal();
  const state: { refuses: (text: string) => Error | undefined; drops: number; closed: boolean } = {
    refuses: () => undefined,
    drops: 0,
    closed: false,
  };
  const journal: EventJournal = {
    ...memory,
    append: async (stream, fence, events) => {
      const error = state.refuses(JSON.stringify(events));
      if (error) throw error;
      return memory.append(stream, fence, events);
    },
    drop: (stream) => {
      state.drops++;
      memory.drop(stream);
    },
    close: async () => {
      state.closed = true;
    },
  };
  return { journal, state };
}

function recorder() {
  const lines: string[] = [];
  const note = (fields: object, message: string): void => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const logger: Logger = { debug: () => {}, info: note, warn: note, error: note };
  return { logger, lines };
}

describe("a journal that fails", () => {
  it.each([
    ["its storage is full", new Error("no space")],
    ["another owner has the session", new FencedError(1)],
  ])("since %s ends the session; the host and other sessions live on", async (_why, error) => {
    const { journal, state } = breakable();
    const { logger, lines } = recorder();
    const rig = await boot({ journal, logger });
    const sick = await rig.create();
    const well = await rig.create();
    const stream = await rig.events(sick.sessionId);
    state.refuses = (text) => (text.includes("poison") ? error : undefined);
    await rig.say(sick.sessionId, "!say poison");
    await stream.ended;
    expect(stream.events().some(({ data }) => data.includes("poison"))).toBe(false);
    await expect.poll(async () => (await rig.info(sick.sessionId)).status, { timeout: 20_000 }).toBe("ended");
    expect((await rig.info(sick.sessionId)).ended?.reason).toBe("error");
    expect(lines.some((line) => line.startsWith("events cannot be recorded"))).toBe(true);
    const other = await rig.events(well.sessionId);
    await rig.say(well.sessionId, "!say fine");
    await other.waitFor("ca_turn_ended");
    expect((await rig.request("GET", "/v1/health")).body.sessions.live).toBe(1);
    expect((await rig.request("DELETE", `/v1/sessions/${sick.sessionId}`)).status).toBe(200);
  });

  it("at the first event makes the create fail, and leaves nothing", async () => {
    const { journal, state } = breakable();
    const rig = await boot({ journal });
    state.refuses = () => new Error("no space");
    const identity = { loader: "mock", source: { type: "inline", manifest: {} } };
    const answer = await rig.request("POST", "/v1/sessions", { engine: "mock", identity });
    expect([answer.status, answer.body.code]).toEqual([500, "INTERNAL"]);
    expect((await rig.request("GET", "/v1/health")).body.sessions).toMatchObject({ live: 0, known: 0 });
    expect(await rig.leftovers()).toEqual([]);
  });

  it("lets nothing run that a human allowed but that is not recorded", async () => {
    const { journal, state } = breakable();
    const ran: string[] = [];
    const mock = createMockEngine();
    const rig = await boot({
      journal,
      engine: {
        ...mock,
        startSession: (context) =>
          mock.startSession({
            ...(context as Parameters<typeof mock.startSession>[0]),
            authorize: async (call) => {
              const answer = await context.authorize(call);
              ran.push(answer.behavior);
              return answer;
            },
          }),
      },
    });
    const { sessionId } = await rig.create({ permissionMode: "ask_all" });
    const stream = await rig.events(sessionId);
    await rig.say(sessionId, "!write a.txt x");
    const { callId } = jsonOf(await stream.waitFor("ca_permission_request"));
    state.refuses = () => new Error("no space");
    await rig.request("POST", `/v1/sessions/${sessionId}/permission/${callId}`, { decision: "allow" });
    await stream.ended;
    await expect.poll(() => ran, { timeout: 20_000 }).toEqual(["deny"]);
  });

  it("stays open when it was given, and is trimmed of what the host forgets", async () => {
    const { journal, state } = breakable();
    const rig = await boot({ journal });
    await rig.create();
    await rig.server.close();
    expect(state).toMatchObject({ drops: 1, closed: false });
  });
});
