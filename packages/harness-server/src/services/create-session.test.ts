import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type EngineContext, type LoadRequest, WireError } from "@computeragent/protocol";
import { createMockEngine, createMockLoader, jsonOf } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { fakeModels } from "../fake-models.test-support.ts";
import type { Logger } from "../logger.ts";
import { boot } from "../rig.test-support.ts";

const inline = (manifest = {}, files = {}) => ({
  identity: { loader: "mock", source: { type: "inline" as const, manifest, files } },
});

describe("creating a session", () => {
  it("materialises the identity as the workspace, or beside it", async () => {
    const contexts: EngineContext[] = [];
    const loads: LoadRequest[] = [];
    const rig = await boot({
      engine: createMockEngine({ onStart: (context) => contexts.push(context) }),
      identityLoaders: [createMockLoader({ onLoad: (request) => loads.push(request) })],
    });
    const notices = [{ level: "warning", code: "gap.unknown", message: "not honoured" }];
    const model = { preferred: "m-1", fallbacks: ["m-2"] };
    const manifest = { name: "tester", version: "1.2.3", instructions: "Be exact.", notices, model };
    const own = await rig.create({
      ...inline(manifest, { "SOUL.md": "s" }),
      messages: [{ role: "user", content: "!say x" }],
    });
    expect(own.identity).toEqual({ name: "tester", version: "1.2.3", sha: null });
    const stream = await rig.events(own.sessionId);
    await stream.waitFor("ca_turn_ended");
    expect(jsonOf(await stream.waitFor("ca_session_started"))).toMatchObject({ gap: own.identity, model: "m-1" });
    expect(stream.events()[1]).toMatchObject({ event: "ca_notice" });
    expect(contexts[0]).toMatchObject({
      profile: { instructions: "Be exact." },
      model: { name: "m-1", fallbacks: ["m-2"] },
      access: "workspace_write",
      permissionMode: "ask",
      includePartials: false,
    });
    expect(contexts[0]?.workspace).toBe(loads[0]?.dir);
    expect(await readdir(contexts[0]?.workspace ?? "")).toContain("SOUL.md");

    await writeFile(join(rig.workspace, "mine.txt"), "mine");
    await rig.create({ ...inline(manifest), workspace: { type: "local", path: rig.workspace } });
    expect(await readdir(rig.workspace)).toEqual(["mine.txt"]);
    expect(loads[1]?.dir).not.toContain(rig.workspace);
  });

  it("fetches a git workspace through what it was given", async () => {
    const seen: object[] = [];
    const rig = await boot({
      gitCheckout: async ({ dir, ...request }) => {
        seen.push({ url: request.url, ref: request.ref });
        await writeFile(join(dir, "cloned.txt"), "cloned");
        return { sha: "abc" };
      },
    });
    const { sessionId } = await rig.create({ workspace: { type: "git", url: "https://git.test/x.git", ref: "main" } });
    expect(seen).toEqual([{ url: "https://git.test/x.git", ref: "main" }]);
    expect((await rig.request("GET", `/v1/sessions/${sessionId}/fs/file?path=cloned.txt`)).body).toBe("cloned");
    const bare = await boot();
    const git = { engine: "mock", workspace: { type: "git", url: "https://git.test/x.git" } };
    expect((await bare.request("POST", "/v1/sessions", git)).body.code).toBe("VALIDATION");
  });

  it("writes attachments into the workspace, jailed", async () => {
    const rig = await boot();
    await rig.create({
      attachments: [
        { path: "notes/a.txt", content: "plain" },
        { path: "b.bin", content: Buffer.from([0, 255]).toString("base64"), encoding: "base64" },
      ],
    });
    expect(await readFile(join(rig.workspace, "notes/a.txt"), "utf8")).toBe("plain");
    expect([...(await readFile(join(rig.workspace, "b.bin")))]).toEqual([0, 255]);
    const body = { engine: "mock", ...inline(), attachments: [{ path: "../out.txt", content: "x" }] };
    const answer = await rig.request("POST", "/v1/sessions", body);
    expect(answer.body.code).toBe("PATH_ESCAPE");
    expect(await rig.leftovers()).toHaveLength(3);
  });

  it("that fails leaves nothing, and the id is free", async () => {
    const fail = new WireError("IDENTITY_INVALID", "bad", { errors: [{ pointer: "/name", message: "no" }] });
    const good = createMockLoader();
    const rig = await boot({
      identityLoaders: [createMockLoader({ name: "bad", fail }), good],
      models: {
        ...fakeModels(),
        open: async () => {
          throw new Error("the broker is down");
        },
      },
      engines: [createMockEngine(), { ...createMockEngine({ name: "modelled" }), needsModel: true }],
      gitCheckout: async () => {
        throw new WireError("SOURCE_UNREACHABLE", "no such repository");
      },
    });
    const sessionId = "wanted";
    const code = async (body: object) => (await rig.request("POST", "/v1/sessions", { sessionId, ...body })).body.code;
    const bad = { loader: "bad", source: { type: "inline", manifest: {} } };
    expect(await code({ engine: "mock", identity: bad })).toBe("IDENTITY_INVALID");
    expect(await code({ engine: "mock", workspace: { type: "git", url: "x" } })).toBe("SOURCE_UNREACHABLE");
    expect(await code({ engine: "modelled", ...inline() })).toBe("INTERNAL");
    expect(await code({ engine: "mock", ...inline({}, { "../x": "y" }) })).toBe("PATH_ESCAPE");
    expect(await code({ engine: "mock", workspace: { type: "local", path: "/etc" } })).toBe("WORKSPACE_NOT_ALLOWED");
    expect(await code({ engine: "mock", workspace: { type: "local", path: "relative" } })).toBe("VALIDATION");
    expect(await rig.leftovers()).toEqual([]);
    expect((await rig.request("GET", "/v1/health")).body.sessions).toMatchObject({ live: 0, known: 0 });
    expect(await code({ engine: "mock", ...inline() })).toBeUndefined();
  });

  it("twice at once with one id makes one session", async () => {
    const rig = await boot();
    const body = { engine: "mock", sessionId: "one", ...inline() };
    const answers = await Promise.all(Array.from({ length: 5 }, () => rig.request("POST", "/v1/sessions", body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(await rig.leftovers()).toHaveLength(4);
  });

  it("with the id of an ended session takes its place, once it stands", async () => {
    const rig = await boot();
    await rig.create({ sessionId: "again", ...inline() });
    await rig.request("DELETE", "/v1/sessions/again");
    const failing = await rig.request("POST", "/v1/sessions", {
      engine: "mock",
      sessionId: "again",
      workspace: { type: "local", path: "/etc" },
    });
    expect(failing.status).toBe(403);
    expect((await rig.info("again")).status).toBe("ended");
    await rig.create({ sessionId: "again", ...inline() });
    expect(await rig.info("again")).toMatchObject({ status: "idle", headId: 0 });
    expect(await rig.leftovers()).toHaveLength(4);
  });

  it("counts sessions in the making against the limit", async () => {
    const gate = Promise.withResolvers<void>();
    const loader = createMockLoader();
    const slow = { ...loader, load: (request: LoadRequest) => gate.promise.then(() => loader.load(request)) };
    const rig = await boot({ identityLoaders: [slow], limits: { maxLiveSessions: 2 } });
    const body = { engine: "mock", ...inline() };
    const waiting = [rig.request("POST", "/v1/sessions", body), rig.request("POST", "/v1/sessions", body)];
    await expect.poll(async () => (await rig.request("GET", "/v1/health")).body.sessions.live).toBe(2);
    const third = await rig.request("POST", "/v1/sessions", body);
    expect([third.status, third.body.code]).toEqual([429, "LIMIT_REACHED"]);
    gate.resolve();
    const [first] = await Promise.all(waiting);
    const fork = await rig.request("POST", `/v1/sessions/${first?.body.sessionId}/fork`);
    expect([fork.status, fork.body.code]).toEqual([429, "LIMIT_REACHED"]);
    await rig.request("DELETE", `/v1/sessions/${first?.body.sessionId}`);
    expect((await rig.request("POST", "/v1/sessions", body)).status).toBe(201);
  });

  it("is given up when the caller leaves", async () => {
    const loads: LoadRequest[] = [];
    const stuck = {
      ...createMockLoader(),
      load: (request: LoadRequest) => {
        loads.push(request);
        return new Promise<never>((_resolve, reject) => {
          request.signal.addEventListener("abort", () => reject(request.signal.reason), { once: true });
        });
      },
    };
    const errors: string[] = [];
    const note = (_fields: object, message: string): void => void errors.push(message);
    const logger: Logger = { debug: () => {}, info: () => {}, warn: note, error: note };
    const rig = await boot({ identityLoaders: [stuck], logger });
    for (const path of ["/v1/sessions", "/v1/chat"]) {
      const leave = new AbortController();
      const gone = fetch(rig.url + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ engine: "mock", ...inline(), messages: [{ role: "user", content: "x" }] }),
        signal: leave.signal,
      }).catch(() => "gone");
      const count = loads.length + 1;
      await expect.poll(() => loads.length, { timeout: 20_000 }).toBe(count);
      leave.abort();
      expect(await gone).toBe("gone");
      await expect.poll(() => rig.leftovers(), { timeout: 20_000 }).toEqual([]);
    }
    expect((await rig.request("GET", "/v1/health")).body.sessions).toMatchObject({ live: 0, known: 0 });
    expect(errors).toEqual([]);
  });
});
