import { Health, ROUTES } from "@computeragent/protocol";
import { followResponse } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { fakeModels } from "../fake-models.test-support.ts";
import { boot } from "../rig.test-support.ts";

describe("answers", () => {
  it("of every route are what the protocol says", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create({ permissionMode: "ask_all" });
    const path = `/v1/sessions/${sessionId}`;
    const stream = await rig.events(sessionId);
    const seen = new Set(["chat", "fsWatch", "events"]);
    const ask = async (name: keyof typeof ROUTES, method: string, tail: string, body?: unknown) => {
      seen.add(name);
      const answer = await rig.request(method, tail.startsWith("/v1") ? tail : path + tail, body);
      expect(answer.status, `${name} ${JSON.stringify(answer.body)}`).toBe(ROUTES[name].status);
      return answer.body;
    };
    await ask("health", "GET", "/v1/health");
    await ask("createSession", "POST", "/v1/sessions", {
      engine: "mock",
      workspace: { type: "local", path: rig.workspace },
    });
    await ask("sendMessage", "POST", "/messages", { message: { role: "user", content: "!bash true" } });
    const { callId } = JSON.parse((await stream.waitFor("ca_permission_request")).data);
    await ask("getSession", "GET", "");
    await ask("listSessions", "GET", "/v1/sessions?status=waiting_permission");
    expect((await ask("listPermissions", "GET", "/permissions")).permissions).toHaveLength(1);
    await ask("answerPermission", "POST", `/permission/${callId}`, { decision: "allow" });
    await stream.waitFor("ca_turn_ended");
    await ask("interrupt", "POST", "/interrupt");
    await ask("fork", "POST", "/fork");
    await ask("fsMkdir", "POST", "/fs/mkdir", { path: "d" });
    seen.add("fsWrite");
    const put = await rig.request("PUT", `${path}/fs/file?path=d/a.txt`, "one", { "if-none-match": "*" });
    expect(put.status).toBe(200);
    await ask("fsEdit", "POST", "/fs/edit", { path: "d/a.txt", old_string: "one", new_string: "two" });
    await ask("fsMove", "POST", "/fs/move", { from: "d/a.txt", to: "b.txt" });
    await ask("fsTree", "GET", "/fs/tree");
    expect(await ask("fsRead", "GET", "/fs/file?path=b.txt")).toBe("two");
    await ask("fsDelete", "DELETE", "/fs/file?path=b.txt");
    await ask("endInput", "POST", "/end-input");
    await ask("cancel", "POST", "/cancel");
    await ask("deleteSession", "DELETE", "");
    expect([...seen].sort()).toEqual(Object.keys(ROUTES).sort());
  });

  it("of health say what the host can do, to those who may know", async () => {
    const models = fakeModels();
    const rig = await boot({ models, version: "9.9.9", hostId: "host_x", containment: { tier: "namespace" } });
    const { body } = await rig.request("GET", "/v1/health");
    expect(Health.parse(body)).toMatchObject({
      ok: true,
      status: "ready",
      version: "9.9.9",
      hostId: "host_x",
      engines: { mock: { capabilities: expect.arrayContaining(["steer"]), options: { type: "object" } } },
      loaders: ["mock"],
      stores: [],
      routes: [{ id: "fake" }],
      defaultRoute: "fake",
      journal: "memory",
      containment: { tier: "namespace" },
      limits: { maxBodyBytes: 32 * 1024 * 1024, permissionExpiryMs: 1_800_000 },
      sessions: { live: 0, known: 0, readers: 0 },
    });
  });

  it("come in process too, streams included", async () => {
    const rig = await boot({ allowedHosts: "any" });
    const call = (path: string, body?: unknown) =>
      rig.server.fetch(
        new Request(`http://here${path}`, {
          ...(body
            ? { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } }
            : {}),
        }),
      );
    const workspace = { type: "local", path: rig.workspace };
    const created = await call("/v1/sessions", { engine: "mock", workspace });
    const { sessionId } = (await created.json()) as { sessionId: string };
    const stream = followResponse(await call(`/v1/sessions/${sessionId}/events`));
    await call(`/v1/sessions/${sessionId}/messages`, { message: { role: "user", content: "!stream 3000 500 0" } });
    await stream.waitFor("ca_turn_ended");
    expect(stream.events().length).toBeGreaterThan(3000);
    stream.close();
    await expect.poll(async () => (await rig.info(sessionId)).readers, { timeout: 20_000 }).toBe(0);
    const chat = followResponse(
      await call("/v1/chat", { engine: "mock", workspace, messages: [{ role: "user", content: "!say hi" }] }),
    );
    await chat.ended;
    expect(chat.events().at(-1)?.event).toBe("ca_session_ended");
  });
});
