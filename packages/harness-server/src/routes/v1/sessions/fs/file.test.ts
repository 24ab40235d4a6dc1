import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DeleteQuery, EditBody, FileQuery, MkdirBody, MoveBody, TreeQuery, WireError } from "@computeragent/protocol";
import { type ServerType, serve } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { createWorkspaceFs } from "../../../../fs/workspace-fs.ts";
import { readQuery } from "../../../../http/query.ts";
import { postEdit } from "./edit.ts";
import { deleteFile, getFile, putFile } from "./file.ts";
import { postMkdir } from "./mkdir.ts";
import { postMove } from "./move.ts";
import { getTree } from "./tree.ts";

let ws: string;
let server: ServerType;
let port: number;

beforeEach(async () => {
  ws = mkdtempSync(join(tmpdir(), "routes-"));
  const fs = createWorkspaceFs({ root: ws, maxFileBytes: 5_000_000 });
  const app = new Hono();
  app.onError((error) => {
    if (!WireError.isInstance(error)) throw error;
    const headers = { "content-type": "application/problem+json" };
    return new Response(JSON.stringify(error.toProblem()), { status: error.status, headers });
  });
  app.get("/tree", async (c) => (await getTree(fs, queryOf(c, TreeQuery))).send(c));
  app.get("/file", (c) => getFile(c, fs, queryOf(c, FileQuery)));
  app.put("/file", async (c) => (await putFile(c, fs, queryOf(c, FileQuery))).send(c));
  app.delete("/file", async (c) => (await deleteFile(c, fs, queryOf(c, DeleteQuery))).send(c));
  app.post("/edit", async (c) => (await postEdit(c, fs, EditBody.parse(await c.req.json()))).send(c));
  app.post("/mkdir", async (c) => (await postMkdir(fs, MkdirBody.parse(await c.req.json()))).send(c));
  app.post("/move", async (c) => (await postMove(c, fs, MoveBody.parse(await c.req.json()))).send(c));
  port = await new Promise<number>((resolve) => {
    server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, (info) => resolve(info.port));
  });
});

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(ws, { recursive: true, force: true });
});

const queryOf = <T>(c: Context, schema: z.ZodType<T>): T => schema.parse(readQuery(c.req.url, schema));
const call = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init);
const post = (path: string, body: unknown) =>
  call(path, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });
const sha = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const descriptors = () => readdirSync("/proc/self/fd").length;

async function drained(response: Response): Promise<Response> {
  await response.arrayBuffer();
  return response;
}

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return "";
  }
}

async function until(check: () => boolean): Promise<void> {
  for (let i = 0; i < 1000 && !check(); i++) await sleep(10);
  expect(check()).toBe(true);
}

describe("a tour", () => {
  it("writes, lists, reads, edits, moves and deletes", async () => {
    const put = await call("/file?path=a/b.txt", { method: "PUT", body: "hello world" });
    expect([put.status, put.headers.get("etag")]).toEqual([200, `"${sha("hello world")}"`]);
    expect(await put.json()).toEqual({ ok: true, sha: sha("hello world"), size: 11 });
    const tree = await (await call("/tree?depth=2&path=/")).json();
    expect(tree.entries.map((entry: { path: string }) => entry.path)).toEqual(["a", "a/b.txt"]);
    const edited = await post("/edit", { path: "a/b.txt", old_string: "world", new_string: "there" });
    expect(await edited.json()).toEqual({ ok: true, replacements: 1, sha: sha("hello there"), size: 11 });
    expect(await (await post("/mkdir", { path: "c/d", recursive: true })).json()).toEqual({ ok: true });
    expect(await (await post("/move", { from: "a/b.txt", to: "c/d/e.txt" })).json()).toEqual({ ok: true });
    expect(await (await call("/file?path=c/d/e.txt")).text()).toBe("hello there");
    expect((await call("/file?path=c", { method: "DELETE" })).status).toBe(409);
    expect(await (await call("/file?path=c&recursive=true", { method: "DELETE" })).json()).toEqual({ ok: true });
    expect((await (await call("/file?path=c/d/e.txt")).json()).code).toBe("NOT_FOUND");
    expect((await (await call("/file?path=../x")).json()).code).toBe("PATH_ESCAPE");
  });

  it("never takes bytes that are not UTF-8 for another name", async () => {
    for (const name of ["%FF", "\ufffd"]) writeFileSync(join(ws, name), "another");
    for (const query of ["path=%FF", "path=%EF%BF%BD", "path=a%", "path=x&cursor=%80"]) {
      for (const [route, method] of [
        ["/file", "GET"],
        ["/file", "DELETE"],
        ["/file", "PUT"],
        ["/tree", "GET"],
      ] as const) {
        expect((await call(`${route}?${query}`, { method }).then(drained)).status, `${method} ${query}`).toBe(400);
      }
    }
    expect(await (await call("/file?path=%25FF")).text()).toBe("another");
    expect(readdirSync(ws)).toHaveLength(2);
  });

  it("takes an empty body for an empty file", async () => {
    expect((await (await call("/file?path=e", { method: "PUT" })).json()).size).toBe(0);
    expect(await (await call("/file?path=e")).text()).toBe("");
  });
});

describe("GET file", () => {
  it("sends type, length and validators, and keeps browsers from running it", async () => {
    writeFileSync(join(ws, "it's é.html"), "<script>1</script>");
    const page = await call(`/file?path=${encodeURIComponent("it's é.html")}`);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "cache-control": "private, no-cache",
      "content-disposition": "attachment; filename*=UTF-8''it%27s%20%C3%A9.html",
      "content-length": "18",
      "content-security-policy": "sandbox",
      "content-type": "text/html; charset=utf-8",
      etag: `"${sha("<script>1</script>")}"`,
      "x-content-type-options": "nosniff",
    });
    const text = await call(`/file?path=${encodeURIComponent("it's é.html")}&format=text`);
    expect(text.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(text.headers.get("content-disposition")).toBeNull();
    writeFileSync(join(ws, "bin"), Buffer.from([0xff, 0xfe]));
    expect((await call("/file?path=bin&format=text")).status).toBe(415);
    expect((await call("/file?path=bin&format=binary")).headers.get("content-type")).toBe("application/octet-stream");
  });

  it("serves one range, the whole for several, and says when there is none", async () => {
    writeFileSync(join(ws, "f"), "0123456789");
    const get = (range: string, more = {}) => call("/file?path=f", { headers: { range, ...more } });
    const part = await get("bytes=2-4");
    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([206, "bytes 2-4/10", "234"]);
    expect(await (await get("bytes=-2")).text()).toBe("89");
    const several = await get("bytes=0-1,4-5");
    expect([several.status, await several.text()]).toEqual([200, "0123456789"]);
    const none = await get("bytes=10-");
    expect([none.status, none.headers.get("content-range"), (await none.json()).code]).toEqual([
      416,
      "bytes */10",
      "RANGE_NOT_SATISFIABLE",
    ]);
    const tag = `"${sha("0123456789")}"`;
    expect((await get("bytes=2-4", { "if-range": tag })).status).toBe(206);
    expect((await get("bytes=2-4", { "if-range": '"old"' })).status).toBe(200);
    expect((await get("bytes=2-4", { "if-range": `W/${tag}` })).status).toBe(200);
    expect((await get("bytes=2-4", { "if-range": new Date().toUTCString() })).status).toBe(200);
  });

  it("answers conditions and HEAD without a body, and leaves no file open", async () => {
    writeFileSync(join(ws, "f"), Buffer.alloc(3_000_000));
    await call("/file?path=f").then((response) => response.arrayBuffer());
    const before = descriptors();
    const head = await call("/file?path=f", { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "3000000", ""]);
    const tag = head.headers.get("etag") ?? "";
    const same = await call("/file?path=f", { headers: { "if-none-match": `"x", W/${tag}` } });
    expect([same.status, same.headers.get("etag"), await same.text()]).toEqual([304, tag, ""]);
    expect((await call("/file?path=f", { headers: { "if-match": '"x"' } })).status).toBe(412);
    expect((await call("/file?path=f", { headers: { "if-match": tag } }).then(drained)).status).toBe(200);
    expect((await call("/file?path=f", { headers: { range: "bytes=9999999-" } }).then(drained)).status).toBe(416);
    await until(() => descriptors() <= before);
  });

  it("closes the file of a client that goes away", async () => {
    writeFileSync(join(ws, "f"), Buffer.alloc(4_900_000));
    const open = () => readdirSync("/proc/self/fd").filter((fd) => linkOf(fd) === join(ws, "f")).length;
    for (let i = 0; i < 5; i++) {
      const client = request({ port, path: "/file?path=f" }, (response) =>
        response.once("data", () => client.destroy()),
      );
      client.on("error", () => {}).end();
      await new Promise((resolve) => client.once("close", resolve));
    }
    await until(() => open() === 0);
  });
});

describe("PUT file", () => {
  it("honours If-Match and If-None-Match", async () => {
    const put = (body: string, headers: Record<string, string>) =>
      call("/file?path=f", { method: "PUT", body, headers });
    expect((await put("1", { "if-none-match": "*" })).status).toBe(200);
    expect((await (await put("2", { "if-none-match": "*" })).json()).code).toBe("PRECONDITION_FAILED");
    expect((await put("2", { "if-match": `"${sha("1")}"` })).status).toBe(200);
    expect((await put("3", { "if-match": `"${sha("1")}"` })).status).toBe(412);
    expect(readFileSync(join(ws, "f"), "utf8")).toBe("2");
  });

  it("refuses what is too large, announced or not", async () => {
    const announced = await call("/file?path=f", { method: "PUT", body: Buffer.alloc(6_000_000) });
    expect((await announced.json()).code).toBe("PAYLOAD_TOO_LARGE");
    const status = await new Promise((resolve, reject) => {
      const client = request({ port, method: "PUT", path: "/file?path=f" }, (response) => resolve(response.statusCode));
      client.on("error", reject);
      client.write(Buffer.alloc(3_000_000));
      client.end(Buffer.alloc(3_000_000));
    });
    expect(status).toBe(413);
    expect(readdirSync(ws)).toEqual([]);
  });

  it.each([
    ["a length", "Content-Length: 1000000\r\n\r\n", "x".repeat(1000)],
    ["chunks", "Transfer-Encoding: chunked\r\n\r\n", `3e8\r\n${"x".repeat(1000)}\r\n`],
  ])("leaves nothing when a client with %s goes away half-way", async (_how, head, part) => {
    mkdirSync(join(ws, "keep"));
    const socket = connect(port, "127.0.0.1");
    socket.write(`PUT /file?path=new/f HTTP/1.1\r\nHost: x\r\n${head}${part}`);
    await until(() => readdirSync(ws).some((name) => name.startsWith(".ca-")));
    socket.destroy();
    await until(() => readdirSync(ws).join() === "keep");
    expect(existsSync(join(ws, "new"))).toBe(false);
  });
});
