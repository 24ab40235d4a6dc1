import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Conversation } from "./conversation.ts";

const ORIGIN = "11111111-1111-4111-8111-111111111111";

describe("Conversation", () => {
  let config = "";
  const folder = (): string => join(config, "projects", "-work");
  const write = (id: string, text: string): Promise<void> => writeFile(join(folder(), `${id}.jsonl`), text);
  const entry = '{"type":"mode"}\n{"parentUuid":null,"type":"user"}\n';

  beforeEach(async () => {
    config = await mkdtemp(join(tmpdir(), "ca-conversation-"));
    await mkdir(folder(), { recursive: true });
  });
  afterEach(() => rm(config, { recursive: true, force: true }));

  it("begins with an id of its own", async () => {
    const conversation = new Conversation(undefined);
    const { engineSessionId } = conversation.state;
    expect(await conversation.plan(join(config, "nothing here"))).toEqual({ sessionId: engineSessionId });
  });

  it("goes on with a transcript, and begins anew where there is only the start of one", async () => {
    const conversation = new Conversation({ engineSessionId: ORIGIN, fork: false });
    await write(ORIGIN, `${"x".repeat(70_000)}\n${entry}`);
    expect(await conversation.plan(config)).toEqual({ resume: ORIGIN });
    await write(ORIGIN, '{"type":"queue-operation"}\n');
    expect(await conversation.plan(config)).toEqual({ sessionId: ORIGIN });
    expect(await readdir(folder())).toEqual([]);
  });

  it("copies its origin, and is its origin until the copy exists", async () => {
    await write(ORIGIN, entry);
    const conversation = new Conversation({ engineSessionId: ORIGIN, fork: true });
    const plan = await conversation.plan(config);
    const sessionId = String(plan.sessionId);
    expect(plan).toEqual({ resume: ORIGIN, forkSession: true, sessionId: expect.not.stringMatching(ORIGIN) });
    expect(conversation.state).toEqual({ engineSessionId: ORIGIN });
    expect(await conversation.plan(config)).toEqual(plan);
    expect(conversation.observe({ type: "result", session_id: ORIGIN })).toBe(false);
    expect(conversation.observe({ type: "result", session_id: sessionId })).toBe(true);
    expect(conversation.state).toEqual({ engineSessionId: sessionId });
  });

  it("goes on with a copy that a cut-off process left", async () => {
    await write(ORIGIN, entry);
    const conversation = new Conversation({ engineSessionId: ORIGIN, fork: true });
    const { sessionId = "" } = await conversation.plan(config);
    await write(sessionId, entry);
    expect(await conversation.plan(config)).toEqual({ resume: sessionId });
    expect(conversation.state).toEqual({ engineSessionId: sessionId });
  });

  it("follows a reset", () => {
    const conversation = new Conversation({ engineSessionId: ORIGIN, fork: false });
    expect(conversation.observe({ type: "conversation_reset", new_conversation_id: "next" })).toBe(true);
    expect(conversation.state).toEqual({ engineSessionId: "next" });
    expect(conversation.observe({ type: "conversation_reset" })).toBe(false);
  });
});
