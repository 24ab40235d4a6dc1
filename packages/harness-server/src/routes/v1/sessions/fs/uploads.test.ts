import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { boot, type Rig } from "../../../../rig.test-support.ts";

const soon = { timeout: 20_000 };

/** An upload whose body is sent piece by piece. */
interface Upload {
  readonly client: ClientRequest;
  /** Status and code, or "gone" when there was no answer. */
  readonly answer: Promise<readonly [number, string] | "gone">;
}

function upload(rig: Rig, sessionId: string, path: string, headers: Record<string, string> = {}): Upload {
  const url = `${rig.url}/v1/sessions/${sessionId}/fs/file?path=${encodeURIComponent(path)}`;
  const client = request(url, { method: "PUT", headers });
  const answer = new Promise<IncomingMessage | undefined>((resolve) => {
    client.once("response", resolve);
    client.once("error", () => resolve(undefined));
  }).then(async (response) => {
    if (!response) return "gone" as const;
    const body = JSON.parse((await response.toArray()).join(""));
    return [response.statusCode ?? 0, String(body.code ?? "ok")] as const;
  });
  client.flushHeaders();
  return { client, answer };
}

const hidden = (dir: string) => readdirSync(dir, { recursive: true }).filter((name) => String(name).includes(".ca-"));

/** Sends the first half of a body, and waits until the host has begun to write this many uploads. */
async function half(one: Upload, dir: string, text: string, count = 1): Promise<void> {
  one.client.write(text);
  await expect.poll(() => hidden(dir).length, soon).toBeGreaterThanOrEqual(count);
}

describe("an upload", () => {
  it("whose client goes away leaves the old content, and nothing else", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    writeFileSync(join(rig.workspace, "f"), "old");
    const one = upload(rig, sessionId, "f");
    await half(one, rig.workspace, "new".repeat(100_000));
    expect(readFileSync(join(rig.workspace, "f"), "utf8")).toBe("old");
    one.client.destroy();
    await expect.poll(() => readdirSync(rig.workspace), soon).toEqual(["f"]);
    expect(readFileSync(join(rig.workspace, "f"), "utf8")).toBe("old");
  });

  it("beside another one of the same path: the last to end stays, whole, and readers see nothing in between", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const [one, two] = [upload(rig, sessionId, "d/f"), upload(rig, sessionId, "d/f")];
    await half(one, rig.workspace, "one ");
    await half(two, rig.workspace, "two ", 2);
    two.client.end("two");
    expect(await two.answer).toEqual([200, "ok"]);
    expect(readFileSync(join(rig.workspace, "d/f"), "utf8")).toBe("two two");
    one.client.end("one");
    expect(await one.answer).toEqual([200, "ok"]);
    expect(readFileSync(join(rig.workspace, "d/f"), "utf8")).toBe("one one");
    expect(hidden(rig.workspace)).toEqual([]);
  });

  it("that must only create loses against one that ended before", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const headers = { "if-none-match": "*" };
    const [one, two] = [upload(rig, sessionId, "f", headers), upload(rig, sessionId, "f", headers)];
    await half(one, rig.workspace, "one");
    await half(two, rig.workspace, "two", 2);
    two.client.end();
    expect(await two.answer).toEqual([200, "ok"]);
    one.client.end();
    expect(await one.answer).toEqual([412, "PRECONDITION_FAILED"]);
    expect(readFileSync(join(rig.workspace, "f"), "utf8")).toBe("two");
    expect(readdirSync(rig.workspace)).toEqual(["f"]);
  });

  it("goes where its path leads at its end: a folder that was moved meanwhile is made again", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    mkdirSync(join(rig.workspace, "d"));
    writeFileSync(join(rig.workspace, "d/f"), "old");
    const one = upload(rig, sessionId, "d/f");
    await half(one, rig.workspace, "new");
    const move = { from: "d", to: "e" };
    expect((await rig.request("POST", `/v1/sessions/${sessionId}/fs/move`, move)).status).toBe(200);
    one.client.end();
    expect(await one.answer).toEqual([200, "ok"]);
    expect(readdirSync(rig.workspace, { recursive: true }).sort()).toEqual(["d", "d/f", "e", "e/f"]);
    expect(readFileSync(join(rig.workspace, "d/f"), "utf8")).toBe("new");
    expect(readFileSync(join(rig.workspace, "e/f"), "utf8")).toBe("old");
  });

  it("into a workspace that was put aside or removed meanwhile is refused, and leaves no part there", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const aside = join(rig.dir, "aside");
    for (const away of [() => renameSync(rig.workspace, aside), () => rmSync(rig.workspace, { recursive: true })]) {
      const one = upload(rig, sessionId, "f");
      await half(one, rig.workspace, "new");
      away();
      one.client.end();
      expect(await one.answer).toEqual([404, "NOT_FOUND"]);
      expect(existsSync(rig.workspace)).toBe(false);
      if (existsSync(aside)) {
        expect(readdirSync(aside)).toEqual([]);
        renameSync(aside, rig.workspace);
      }
    }
  });

  it("into a session that is forgotten meanwhile is refused, and brings nothing back", async () => {
    const rig = await boot({ limits: { endedRetentionMs: 1, reaperIntervalMs: 20 } });
    const { sessionId } = await rig.create({ identity: { loader: "mock", source: { type: "inline", manifest: {} } } });
    const one = upload(rig, sessionId, "deep/f");
    await half(one, rig.dir, "new");
    await rig.request("DELETE", `/v1/sessions/${sessionId}`);
    await expect.poll(() => rig.leftovers(), soon).toEqual([]);
    one.client.end();
    expect(await one.answer).toEqual([404, "NOT_FOUND"]);
    expect(await rig.leftovers()).toEqual([]);
  });

  it("that is under way when the host stops leaves nothing", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const one = upload(rig, sessionId, "f");
    await half(one, rig.workspace, "new");
    await rig.server.close();
    expect(await one.answer).not.toEqual([200, "ok"]);
    await expect.poll(() => readdirSync(rig.workspace), soon).toEqual([]);
  });
});

describe("a path of 4096 bytes", () => {
  it.each([
    ["of plain letters", "n"],
    ["that needs escapes everywhere", "é"],
  ])("%s works in every route, one byte more is refused", async (_what, letter) => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const fs = `/v1/sessions/${sessionId}/fs`;
    const folder = `${letter.repeat(200 / Buffer.byteLength(letter))}/`.repeat(20);
    const path = folder + "f".repeat(4096 - Buffer.byteLength(folder));
    expect(Buffer.byteLength(path)).toBe(4096);
    const file = `${fs}/file?path=${encodeURIComponent(path)}`;
    const statuses: number[] = [];
    const call = async (method: string, route: string, body?: unknown, headers = {}): Promise<void> => {
      statuses.push((await rig.request(method, route, body, headers)).status);
    };
    await call("POST", `${fs}/mkdir`, { path: folder, recursive: true });
    await call("PUT", file, "deep");
    await call("GET", file);
    await call("POST", `${fs}/edit`, { path, old_string: "deep", new_string: "deeper" });
    await call("GET", `${fs}/tree?path=${encodeURIComponent(folder)}`);
    await call("POST", `${fs}/move`, { from: path, to: "shallow" });
    await call("POST", `${fs}/move`, { from: "shallow", to: path });
    await call("DELETE", file);
    expect(statuses).toEqual(Array(8).fill(200));
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await rig.request(method, `${file}x`, method === "PUT" ? "x" : undefined);
      expect([answer.status, answer.body.code]).toEqual([400, "VALIDATION"]);
    }
  });
});
