import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { AuditRecord } from "@computeragent/protocol";
import { createMockEngine, createMockLoader } from "@computeragent/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { boot } from "./rig.test-support.ts";
import { createHarnessServer } from "./server.ts";

describe("a host", () => {
  it("is refused when it cannot work", async () => {
    const rest = { identityLoaders: [], dataDir: join(tmpdir(), "never-made"), auth: null };
    await expect(createHarnessServer({ ...rest, engines: [] })).rejects.toThrow(/at least one engine/);
    const twice = [createMockEngine(), createMockEngine()];
    await expect(createHarnessServer({ ...rest, engines: twice })).rejects.toThrow(/two engines are called mock/);
    const loaders = [createMockLoader(), createMockLoader()];
    await expect(
      createHarnessServer({ ...rest, engines: [createMockEngine()], identityLoaders: loaders }),
    ).rejects.toThrow(/two identity loaders/);
  });

  it("leaves nothing that keeps its process alive", async () => {
    const dir = await mkdtemp(join(tmpdir(), "ca-exit-"));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const script = `
      const { createHarnessServer } = await import(${JSON.stringify(join(import.meta.dirname, "index.ts"))});
      const { createMockEngine, createMockLoader } = await import("@computeragent/testing");
      const server = await createHarnessServer({
        engines: [createMockEngine()], identityLoaders: [createMockLoader()], dataDir: process.argv[1], auth: null,
        allowWorkspaces: [process.argv[1]],
      });
      const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
      const post = (path, body) => fetch(url + path, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });
      const workspace = { type: "local", path: process.argv[1] };
      const say = (content) => [{ role: "user", content }];
      const chat = await post("/v1/chat", { engine: "mock", workspace, messages: say("!say hi") });
      await chat.text();
      const { sessionId } = await (await post("/v1/sessions", { engine: "mock", workspace, permissionMode: "ask_all", limits: { maxWallMs: 600000 }, messages: say("!bash true") })).json();
      const events = await fetch(url + "/v1/sessions/" + sessionId + "/events");
      const left = await post("/v1/chat", { engine: "mock", workspace, messages: say("!sleep 60000") });
      await left.body.cancel();
      await events.body.getReader().read();
      await server.close();
      process.stdout.write("closed");
    `;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--conditions=@computeragent/source", "--input-type=module", "-e", script, dir],
      { cwd: import.meta.dirname, timeout: 60_000 },
    );
    expect(stdout).toBe("closed");
  }, 90_000);

  it("tells the audit log who did what, and a broken one stops nothing", async () => {
    const records: AuditRecord[] = [];
    const rig = await boot({
      audit: {
        record: (record) => {
          records.push(record);
          if (records.length % 2 === 0) return Promise.reject(new Error("disk"));
          throw new Error("broken");
        },
      },
    });
    const { sessionId } = await rig.create();
    await rig.say(sessionId, "!say x");
    await rig.request("POST", `/v1/sessions/${sessionId}/interrupt`);
    await rig.request("DELETE", `/v1/sessions/${sessionId}`);
    expect(records.map(({ action, principal }) => [action, principal])).toEqual([
      ["session.create", "local"],
      ["message.send", "local"],
      ["turn.interrupt", "local"],
      ["session.delete", "local"],
    ]);
    expect(records.every((record) => record.sessionId === sessionId && record.at > 0)).toBe(true);
  });
});
