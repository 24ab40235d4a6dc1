import type { AuthHandler, Principal, Scope } from "@computeragent/protocol";
import { createMockEngine } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { bearerToken } from "../auth/bearer-token.ts";
import type { Logger } from "../logger.ts";
import { boot, type Rig } from "../rig.test-support.ts";

const ALL: readonly Scope[] = ["read", "drive", "approve"];

/** Everybody is who he says he is: `Authorization: Bearer NAME:SCOPE,SCOPE`. */
const byName: AuthHandler = {
  async authenticate({ headers }): Promise<Principal | null> {
    const [id, scopes] = (headers.authorization ?? "").replace("Bearer ", "").split(":");
    if (id === "broken") throw new Error("the directory is down");
    return id ? { id, scopes: (scopes?.split(",") ?? ALL) as Scope[] } : null;
  },
};
const as = (who: string) => ({ authorization: `Bearer ${who}` });
const createAs = async (rig: Rig, who: string, more: object = {}) => {
  const body = { engine: "mock", workspace: { type: "local", path: rig.workspace }, ...more };
  return await rig.request("POST", "/v1/sessions", body, as(who));
};

describe("a bearer token", () => {
  it("is wanted everywhere but for four facts about the host", async () => {
    const token = "a-token-of-some-length";
    const rig = await boot({ auth: bearerToken(token) });
    for (const headers of [{}, as("wrong-token-of-same-ln"), as(`${token}x`), { authorization: token }, as("")]) {
      for (const [method, path] of [
        ["GET", "/v1/sessions"],
        ["POST", "/v1/sessions"],
        ["POST", "/v1/chat"],
        ["GET", "/v1/sessions/sess_1/events"],
        ["DELETE", "/v1/sessions/sess_1"],
        ["GET", "/v1/sessions/sess_1/fs/tree"],
        ["PUT", "/v1/sessions/sess_1/fs/file?path=x"],
      ] as const) {
        const answer = await rig.request(method, path, undefined, headers);
        expect([answer.status, answer.body.code], `${method} ${path}`).toEqual([401, "UNAUTHORIZED"]);
        expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer /);
        expect(JSON.stringify(answer.body)).not.toContain(token);
      }
      const health = await rig.request("GET", "/v1/health", undefined, headers);
      expect(Object.keys(health.body).sort()).toEqual(["ok", "protocolVersion", "status", "version"]);
    }
    for (const headers of [as(token), { authorization: `bearer  ${token}` }]) {
      expect((await rig.request("GET", "/v1/sessions", undefined, headers)).status).toBe(200);
      expect((await rig.request("GET", "/v1/health", undefined, headers)).body.engines.mock).toBeDefined();
    }
  });

  it("must have some length", () => {
    expect(() => bearerToken("short")).toThrow();
  });
});

describe("principals", () => {
  it("need the scope of a route", async () => {
    const rig = await boot({ auth: byName });
    const { sessionId } = (await createAs(rig, "ann:drive")).body;
    const code = async (method: string, path: string, who: string, body?: unknown) =>
      (await rig.request(method, path, body, as(who))).body.code;
    const path = `/v1/sessions/${sessionId}`;
    expect(await code("GET", path, "ann:drive")).toBe("FORBIDDEN");
    expect(await code("POST", `${path}/cancel`, "ann:read")).toBe("FORBIDDEN");
    expect(await code("POST", "/v1/chat", "ann:read", { engine: "mock" })).toBe("FORBIDDEN");
    expect(await code("POST", `${path}/permission/c1`, "ann:read,drive", { decision: "allow" })).toBe("FORBIDDEN");
    expect(await code("POST", `${path}/permission/c1`, "ann:approve", { decision: "allow" })).toBe("NOT_FOUND");
    expect(await code("GET", path, "ann:admin")).toBeUndefined();
  });

  it("see their own sessions alone; administrators see all", async () => {
    const rig = await boot({ auth: byName });
    const { sessionId } = (await createAs(rig, "ann", { sessionId: "anns" })).body;
    await createAs(rig, "bob", { sessionId: "bobs" });
    const path = `/v1/sessions/${sessionId}`;
    const message = { message: { role: "user", content: "!say x" } };
    const missing = (await rig.request("GET", "/v1/sessions/none", undefined, as("bob"))).body;
    for (const [method, tail, body] of [
      ["GET", "", undefined],
      ["DELETE", "", undefined],
      ["GET", "/events", undefined],
      ["GET", "/events?after=0", undefined],
      ["POST", "/messages", message],
      ["GET", "/permissions", undefined],
      ["POST", "/permission/c1", { decision: "allow" }],
      ["POST", "/interrupt", undefined],
      ["POST", "/cancel", undefined],
      ["POST", "/end-input", undefined],
      ["POST", "/fork", undefined],
      ["GET", "/fs/tree", undefined],
      ["GET", "/fs/file?path=a", undefined],
      ["PUT", "/fs/file?path=a", undefined],
      ["DELETE", "/fs/file?path=a", undefined],
      ["POST", "/fs/mkdir", { path: "a" }],
      ["POST", "/fs/move", { from: "a", to: "b" }],
      ["POST", "/fs/edit", { path: "a", old_string: "a", new_string: "b" }],
    ] as const) {
      const answer = await rig.request(method, path + tail, body, as("bob"));
      expect(answer.body, `${method} ${tail}`).toEqual(missing);
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
    }
    const seenBy = async (who: string) =>
      (await rig.request("GET", "/v1/sessions", undefined, as(who))).body.sessions.map(
        (s: { sessionId: string }) => s.sessionId,
      );
    expect(await seenBy("bob")).toEqual(["bobs"]);
    expect(await seenBy("root:admin")).toEqual(["bobs", "anns"]);
    expect((await rig.request("GET", path, undefined, as("ann"))).body.status).toBe("idle");
  });

  it("learn nothing about a foreign session by its id", async () => {
    const rig = await boot({ auth: byName });
    await createAs(rig, "ann", { sessionId: "taken" });
    const chat = { engine: "mock", sessionId: "taken", messages: [{ role: "user", content: "!say x" }] };
    const local = { workspace: { type: "local", path: rig.workspace } };
    const talk = await rig.request("POST", "/v1/chat", { ...chat, ...local }, as("bob"));
    const create = await createAs(rig, "bob", { sessionId: "taken" });
    expect([talk.body, create.status]).toEqual([create.body, 409]);
    await rig.request("DELETE", "/v1/sessions/taken", undefined, as("ann"));
    expect((await createAs(rig, "bob", { sessionId: "taken" })).body).toEqual(create.body);
    expect((await rig.request("GET", "/v1/sessions/taken", undefined, as("ann"))).body.status).toBe("ended");
    expect((await createAs(rig, "ann", { sessionId: "taken" })).status).toBe(201);
  });

  it("are nobody when the handler breaks", async () => {
    const errors: string[] = [];
    const note = (_fields: object, message: string): void => void errors.push(message);
    const logger: Logger = { debug: () => {}, info: () => {}, warn: note, error: note };
    const rig = await boot({ auth: byName, logger, engine: createMockEngine() });
    const answer = await rig.request("GET", "/v1/sessions", undefined, as("broken"));
    expect([answer.status, JSON.stringify(answer.body).includes("directory")]).toEqual([401, false]);
    expect((await rig.request("GET", "/v1/health", undefined, as("broken"))).status).toBe(200);
    expect(errors).toContain("the auth handler failed");
  });
});
