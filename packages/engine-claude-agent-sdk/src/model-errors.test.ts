import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, makeBench } from "./fixtures/bench.ts";
import { script } from "./fixtures/fake-messages.ts";
import { type TestSession, TOKEN } from "./fixtures/test-session.ts";

describe("errors of the model", { timeout: 60_000 }, () => {
  let bench: Bench;
  let session: TestSession;

  beforeAll(async () => {
    bench = await makeBench("errors");
    session = await bench.session();
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  const alive = async (): Promise<void> => {
    expect(await session.turn(script({ text: "alive" }))).toMatchObject({ reason: "complete" });
  };

  it.each([
    { status: 401, class: "permanent", code: "authentication_failed" },
    { status: 403, class: "permanent", code: "authentication_failed" },
    { status: 400, class: "permanent", code: "unknown" },
    { status: 404, class: "permanent", code: "model_not_found" },
    { status: 429, class: "limited", code: "rate_limit" },
    { status: 529, class: "transient", code: "server_error" },
    { status: 500, class: "transient", code: "server_error" },
  ])("status $status ends the turn as $class, and the session stays", async ({ status, ...expected }) => {
    const end = await session.turn(script({ status }));
    expect(end).toMatchObject({ reason: "error", error: expected });
    expect(end.error?.message).not.toContain(TOKEN);
    await alive();
  });

  it("tells until when a limit holds, as far as the CLI says", async () => {
    const before = Date.now();
    const end = await session.turn(script({ status: 429, headers: { "retry-after": "1" } }));
    expect(end.error?.class).toBe("limited");
    expect(Date.parse(end.error?.until ?? "")).toBeGreaterThan(before);
  });

  it("gives up at once when the budget is refused", async () => {
    const requests = bench.fake.requests.length;
    const end = await session.turn(script({ status: 403, type: "permission_error", message: "the budget is used up" }));
    expect(end).toMatchObject({
      reason: "error",
      error: { class: "permanent", message: expect.stringContaining("budget") },
    });
    expect(bench.fake.requests.length).toBe(requests + 1);
  });

  it("passes the result of a failed turn on, and it is final", async () => {
    const from = session.events.length;
    await session.turn(script({ status: 400, type: "invalid_request_error", message: "bad thing" }));
    const finals = session.events.slice(from).filter((event) => event.kind === "message" && event.final);
    expect(finals).toMatchObject([{ payload: { type: "result", is_error: true, api_error_status: 400 } }]);
  });

  it("ends cleanly although the last turn failed", async () => {
    const failed = await bench.session();
    await failed.turn(script({ status: 400 }));
    failed.endInput();
    expect(await failed.ended).toBeUndefined();
  });

  it("tells a closed port from an answer", async () => {
    const access = { baseUrl: "http://127.0.0.1:9", token: TOKEN };
    const route = { id: "closed", protocol: "anthropic" as const, models: [], offline: false };
    const lonely = await bench.session({ model: { fallbacks: [], access: { ...access, route } } });
    expect(await lonely.turn("hello")).toMatchObject({ reason: "error", error: { class: "transient" } });
  });
});
