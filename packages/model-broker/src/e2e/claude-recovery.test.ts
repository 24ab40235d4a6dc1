import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { blocks, Claude, hasClaude, Place } from "./claude.test-support.ts";
import { type OpenSession, openSession } from "./session.test-support.ts";

vi.setConfig({ testTimeout: 180_000 });

const RECOVERY =
  "<computeragent-recovery>The host was restarted. The outcome of the open call is unknown.</computeragent-recovery>";

/** Runs a message until `when` says so, kills the process, and resumes it in a new one. */
async function killAndResume(
  place: Place,
  session: OpenSession,
  message: string,
  when: (claude: Claude) => Promise<unknown>,
  next: string,
  model: string,
): Promise<{ result: string | undefined; tools: unknown[] }> {
  const first = await Claude.start(place, session.grant, { model });
  first.say(message);
  await when(first);
  await first.kill();
  await using second = await Claude.start(place, session.grant, { model, resume: first.sessionId });
  const result = await second.turn(next);
  return {
    result: result.result,
    tools: blocks(second.messages, "tool_use").map((block) => block.input),
  };
}

const model = "claude-opus-5-5";

describe.skipIf(!hasClaude)("a script that outlives its process", () => {
  it("goes on with new scripts after a resume in a second process", async () => {
    await using place = await Place.make();
    await using session = await openSession();
    const first = await Claude.start(place, session.grant, { model });
    expect((await first.turn("!bash echo 1 >> log\n!say one")).result).toBe("one");
    await first[Symbol.asyncDispose]();
    await using second = await Claude.start(place, session.grant, { model, resume: first.sessionId });
    expect((await second.turn("!bash echo 2 >> log\n!say two")).result).toBe("two");
    expect(await place.read("log")).toBe("1\n2\n");
  });

  it.each([model, "claude-haiku-4-5"])(
    "repeats the tool call that was killed in the middle, and no other (%s)",
    async (name) => {
      await using place = await Place.make();
      await using session = await openSession();
      const { result, tools } = await killAndResume(
        place,
        session,
        "!bash echo 1 >> log\n!bash echo 2 >> log; sleep 3\n!bash echo 3 >> log\n!say end",
        async (claude) => {
          await claude.until((message) => message.type === "user");
          await claude.until((message) => message.type === "assistant");
          await expect.poll(() => place.read("log"), { timeout: 60_000 }).toBe("1\n2\n");
          await expect.poll(() => place.recorded("echo 2 >> log"), { timeout: 60_000 }).toBe(true);
        },
        RECOVERY,
        name,
      );
      expect(result).toBe("end");
      expect(tools).toMatchObject([{ command: "echo 2 >> log; sleep 3" }, { command: "echo 3 >> log" }]);
      expect(await place.read("log")).toBe("1\n2\n2\n3\n");
    },
  );

  it("asks again for what was not yet permitted when it was killed", async () => {
    await using place = await Place.make();
    await using session = await openSession();
    const asked = Promise.withResolvers<void>();
    const canUseTool = () => {
      asked.resolve();
      return new Promise<never>(() => {});
    };
    const first = await Claude.start(place, session.grant, { model, canUseTool });
    first.say("!bash echo 1\n!write granted.txt yes\n!say end");
    await asked.promise;
    await wait(1000);
    await first.kill();
    await using second = await Claude.start(place, session.grant, { model, resume: first.sessionId });
    expect((await second.turn(RECOVERY)).result).toBe("end");
    expect(await place.read("granted.txt")).toBe("yes");
    expect(blocks(second.messages, "tool_use").map((block) => block.name)).toEqual(["Write"]);
  });

  it("goes on where it was when it was killed between two steps", async () => {
    await using place = await Place.make();
    await using session = await openSession();
    const { result, tools } = await killAndResume(
      place,
      session,
      "!bash echo 1 >> log\n!sleep 4000\n!bash echo 2 >> log\n!say end",
      async (claude) => {
        await claude.until((message) => message.type === "user");
        await wait(1000);
      },
      RECOVERY,
      model,
    );
    expect(result).toBe("end");
    expect(tools).toMatchObject([{ command: "echo 2 >> log" }]);
    expect(await place.read("log")).toBe("1\n2\n");
  });

  it("begins anew when it was killed before its first answer", async () => {
    await using place = await Place.make();
    await using session = await openSession();
    const { result } = await killAndResume(
      place,
      session,
      "!sleep 5000\n!bash echo 1 >> log\n!say end",
      async (claude) => {
        await claude.until((message) => message.type === "system" && message.subtype === "init");
        await wait(1500);
      },
      RECOVERY,
      model,
    );
    expect(result).toBe("end");
    expect(await place.read("log")).toBe("1\n");
  });

  it("says its last words again when it was killed in the middle of them", async () => {
    await using place = await Place.make();
    await using session = await openSession();
    const { result } = await killAndResume(
      place,
      session,
      "!bash echo 1 >> log\n!say begin\n!sleep 3000\n!say end",
      async (claude) => {
        await claude.until((message) => message.type === "user");
        await wait(1500);
      },
      RECOVERY,
      model,
    );
    expect(result).toBe("begin\nend");
    expect(await place.read("log")).toBe("1\n");
  });

  it("gives way to a new message after a kill", async () => {
    await using place = await Place.make();
    await using session = await openSession();
    const { result } = await killAndResume(
      place,
      session,
      "!bash echo old >> log; sleep 2\n!bash echo never >> log",
      async () => {
        await expect.poll(() => place.read("log").catch(() => ""), { timeout: 60_000 }).toBe("old\n");
        // The transcript of a first turn is on disk a moment after its first tool began.
        await wait(1000);
      },
      "!bash echo new >> log\n!say new",
      model,
    );
    expect(result).toBe("new");
    expect(await place.read("log")).toBe("old\nnew\n");
  });
});
