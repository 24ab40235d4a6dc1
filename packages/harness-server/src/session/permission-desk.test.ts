import type { Authorization, PermissionRequestData, PermissionResolvedData, ToolCall } from "@computeragent/protocol";
import { describe, expect, it } from "vitest";
import { type DeskHost, PermissionDesk } from "./permission-desk.ts";

function desk(more: Partial<DeskHost> = {}) {
  const requests: PermissionRequestData[] = [];
  const resolutions: PermissionResolvedData[] = [];
  const open: number[] = [];
  const made = new PermissionDesk({
    judge: () => ({ verdict: "ask", risk: "medium", reason: "a test" }),
    mask: (data) => data,
    requested: (data, onSeq) => onSeq(requests.push(data)),
    resolved: async (data) => {
      resolutions.push(data);
      return true;
    },
    changed: (count) => open.push(count),
    expiryMs: 60_000,
    ...more,
  });
  made.admit();
  return { desk: made, requests, resolutions, open };
}

const call = (callId: string, more: Partial<ToolCall> = {}): ToolCall => ({
  callId,
  toolName: "T",
  input: {},
  ...more,
});
const behavior = async (answer: Promise<Authorization>) => (await answer).behavior;

describe("the permission desk", () => {
  it("answers five calls at once in any order, each with its own answer", async () => {
    const { desk: d, open } = desk();
    const ids = ["a", "b", "c", "d", "e"];
    const answers = ids.map((id) => d.authorize(call(id, { input: { id } })));
    expect(d.pending().map(({ request }) => request.callId)).toEqual(ids);
    await d.answer("d", { decision: "deny" }, "me");
    await d.answer("a", { decision: "allow" }, "me");
    await d.answer("e", { decision: "modify", input: { id: "mine" } }, "me");
    await d.answer("b", { decision: "deny" }, "me");
    await d.answer("c", { decision: "allow" }, "me");
    expect(await Promise.all(answers)).toEqual([
      { behavior: "allow", input: { id: "a" } },
      { behavior: "deny", message: "The user denied this." },
      { behavior: "allow", input: { id: "c" } },
      { behavior: "deny", message: "The user denied this." },
      { behavior: "allow", input: { id: "mine" } },
    ]);
    expect(open).toEqual([1, 2, 3, 4, 5, 4, 3, 2, 1, 0]);
  });

  it("asks once about one call, however often the engine does", async () => {
    const { desk: d, requests } = desk();
    const twice = [d.authorize(call("a")), d.authorize(call("a"))];
    await d.answer("a", { decision: "allow" }, "me");
    expect(await Promise.all([...twice, d.authorize(call("a"))].map(behavior))).toEqual(["allow", "allow", "allow"]);
    expect(requests).toHaveLength(1);
  });

  it("forgets old calls, but none that is open", async () => {
    const { desk: d } = desk({
      judge: ({ toolName }) => ({ verdict: toolName === "ask" ? "ask" : "allow", risk: "low", reason: "" }),
    });
    const open = d.authorize(call("open", { toolName: "ask" }));
    for (let n = 0; n < 2000; n++) await d.authorize(call(`n${n}`));
    const again = d.authorize(call("open", { toolName: "ask" }));
    await d.answer("open", { decision: "allow" }, "me");
    expect(await Promise.all([behavior(open), behavior(again)])).toEqual(["allow", "allow"]);
  });

  it("takes a request back when the engine does, before or after", async () => {
    const { desk: d, requests, resolutions } = desk();
    const gone = AbortSignal.abort();
    expect(await behavior(d.authorize(call("a", { signal: gone })))).toBe("deny");
    expect(requests).toHaveLength(0);
    const engine = new AbortController();
    const answer = d.authorize(call("b", { signal: engine.signal }));
    engine.abort();
    expect(await behavior(answer)).toBe("deny");
    expect(resolutions).toMatchObject([{ callId: "b", decision: "cancelled", by: "engine" }]);
    await expect(d.answer("b", { decision: "allow" }, "me")).rejects.toMatchObject({ code: "PERMISSION_EXPIRED" });
  });

  it("leaves no listener on a signal that many calls share", async () => {
    const { desk: d } = desk();
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on("warning", note);
    const { signal } = new AbortController();
    for (let n = 0; n < 50; n++) {
      const answer = d.authorize(call(`n${n}`, { signal }));
      await d.answer(`n${n}`, { decision: "allow" }, "me");
      await answer;
    }
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });

  it("is closed between turns, and for good after the end", async () => {
    const { desk: d, requests } = desk();
    d.refuse("the turn is over", false);
    expect(await d.authorize(call("a"))).toMatchObject({ behavior: "deny", interrupt: true });
    d.admit();
    const open = d.authorize(call("b"));
    d.refuse("the session ended", true);
    d.admit();
    expect(await open).toMatchObject({ behavior: "deny", interrupt: true });
    expect(await d.authorize(call("c"))).toMatchObject({ behavior: "deny", message: "the session ended" });
    expect(requests.map(({ callId }) => callId)).toEqual(["b"]);
  });

  it("lets an interrupt win over an answer that is not recorded yet", async () => {
    const gate = Promise.withResolvers<boolean>();
    const { desk: d } = desk({ resolved: () => gate.promise });
    const answer = d.authorize(call("a"));
    const answered = d.answer("a", { decision: "allow" }, "me");
    d.refuse("interrupted", false);
    gate.resolve(true);
    await answered;
    expect(await answer).toMatchObject({ behavior: "deny", message: "interrupted" });
  });

  it("allows nothing that cannot be recorded, and nothing when the policy fails", async () => {
    const { desk: d } = desk({ resolved: async () => false });
    const answer = d.authorize(call("a"));
    await d.answer("a", { decision: "allow" }, "me");
    expect(await behavior(answer)).toBe("deny");
    const broken = desk({
      judge: () => {
        throw new Error("a bug");
      },
    });
    expect(await behavior(broken.desk.authorize(call("b")))).toBe("deny");
  });

  it("shows requests masked and runs them as they are", async () => {
    const { desk: d, requests } = desk({ mask: (data) => ({ ...data, input: { secret: "***" } }) });
    const answer = d.authorize(call("a", { input: { secret: "s3cret" } }));
    expect([requests[0]?.input, d.pending()[0]?.request.input]).toEqual([{ secret: "***" }, { secret: "***" }]);
    await d.answer("a", { decision: "allow" }, "me");
    expect(await answer).toEqual({ behavior: "allow", input: { secret: "s3cret" } });
  });

  it("remembers what was allowed for the session up to its risk", async () => {
    const risks: Record<string, "low" | "medium" | "high" | "destructive"> = {
      m: "medium",
      h: "high",
      d: "destructive",
    };
    const { desk: d, requests } = desk({
      judge: ({ callId }) => ({ verdict: "ask", risk: risks[callId[0] ?? ""] ?? "low", reason: "" }),
    });
    const allow = async (id: string, input = {}) => {
      const answer = d.authorize(call(id, { input }));
      if (d.pending().length > 0) await d.answer(id, { decision: "allow", scope: "session" }, "me");
      return answer;
    };
    for (const id of ["h1", "m1", "h2", "d1", "d2"]) await allow(id);
    await allow("d3", { other: true });
    expect(requests.map(({ callId }) => callId)).toEqual(["h1", "d1", "d3"]);
  });
});
