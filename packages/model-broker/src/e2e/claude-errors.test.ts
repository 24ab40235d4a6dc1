import { describe, expect, it, vi } from "vitest";
import { Claude, hasClaude, Place } from "./claude.test-support.ts";
import { openSession } from "./session.test-support.ts";
import { endpoint } from "./upstream.test-support.ts";

vi.setConfig({ testTimeout: 180_000 });

const retries = (claude: Claude) => claude.messages.filter((message) => message.subtype === "api_retry").length;

describe.skipIf(!hasClaude)("errors in the real Claude Code", () => {
  it.each([
    [403, "403", false],
    [429, "429", true],
    [529, "529", true],
  ])("sees the error %i, and runs the next script afterwards", async (status, shown, again) => {
    await using place = await Place.make();
    await using session = await openSession();
    await using claude = await Claude.start(place, session.grant);
    const failed = await claude.turn(`!bash echo 1 >> log\n!error ${status}\n!bash echo never >> log`);
    expect(failed.is_error).toBe(true);
    expect(failed.result).toContain(shown);
    expect(retries(claude) > 0).toBe(again);
    expect(await place.read("log")).toBe("1\n");
    expect((await claude.turn("!bash echo 2 >> log\n!say ok")).result).toBe("ok");
    expect(await place.read("log")).toBe("1\n2\n");
  });

  it("tries again when the endpoint cannot be reached", async () => {
    const real = await endpoint(() => {});
    await real[Symbol.asyncDispose]();
    await using place = await Place.make();
    await using session = await openSession({}, { routes: [real.route] });
    await using claude = await Claude.start(place, session.grant);
    const failed = await claude.turn("hello");
    expect(failed).toMatchObject({ is_error: true });
    expect(retries(claude)).toBe(2);
  });

  it("gives up at once when a limit is used up, and shows which", async () => {
    await using place = await Place.make();
    await using session = await openSession({ limits: { maxTokens: 100 } });
    await using claude = await Claude.start(place, session.grant);
    const failed = await claude.turn("!bash echo 1 >> log\n!bash echo never >> log");
    expect(failed).toMatchObject({ is_error: true });
    expect(failed.result).toContain("maxTokens (100) is used up");
    expect(retries(claude)).toBe(0);
    expect(session.exhausted).toEqual(["maxTokens"]);
    expect(session.calls).toHaveLength(1);
    expect(await place.read("log")).toBe("1\n");
  });

  it("fails in the middle of an answer, and in the whole answer that it asks for then", async () => {
    await using place = await Place.make();
    await using session = await openSession();
    await using claude = await Claude.start(place, session.grant, { includePartialMessages: true });
    const failed = await claude.turn("!say so far\n!error 500");
    expect(failed.is_error).toBe(true);
    expect(JSON.stringify(claude.messages)).toContain("so far");
  });
});
