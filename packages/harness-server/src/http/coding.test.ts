import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { boot } from "../rig.test-support.ts";

describe("a body that is not what it seems", () => {
  it("is refused when it is coded, as JSON and as a file", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const path = `/v1/sessions/${sessionId}`;
    const gzip = { "content-encoding": "gzip" };
    const message = JSON.stringify({ message: { role: "user", content: "hi" } });
    const coded = gzipSync(message).toString("latin1");
    for (const [method, to, body] of [
      ["POST", `${path}/messages`, coded],
      ["POST", `${path}/messages`, message],
      ["PUT", `${path}/fs/file?path=f`, coded],
    ] as const) {
      const answer = await rig.request(method, to, body, gzip);
      expect([answer.status, answer.body.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    }
    const plain = await rig.request("POST", `${path}/messages`, message, { "content-encoding": "Identity" });
    expect(plain.status).toBe(202);
    expect((await rig.request("GET", `${path}/fs/file?path=f`)).status).toBe(404);
  });

  it("is refused when it is a part of a file: the rest would be lost", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    await writeFile(join(rig.workspace, "f"), "whole");
    const path = `/v1/sessions/${sessionId}/fs/file?path=f`;
    const answer = await rig.request("PUT", path, "wh", { "content-range": "bytes 0-1/5" });
    expect([answer.status, answer.body.code]).toEqual([400, "VALIDATION"]);
    expect(await readFile(join(rig.workspace, "f"), "utf8")).toBe("whole");
  });

  it("changes a file only when its conditions hold, whatever the change", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const path = `/v1/sessions/${sessionId}/fs`;
    await writeFile(join(rig.workspace, "f"), "one");
    const wrong = { "if-match": '"other"' };
    const edit = { path: "f", old_string: "one", new_string: "two" };
    const move = { from: "f", to: "g" };
    expect((await rig.request("POST", `${path}/edit`, edit, wrong)).status).toBe(412);
    expect((await rig.request("POST", `${path}/move`, move, wrong)).status).toBe(412);
    expect((await rig.request("DELETE", `${path}/file?path=f`, undefined, wrong)).status).toBe(412);
    const first = await rig.request("GET", `${path}/file?path=f`);
    const tag = first.headers.get("etag") ?? "";
    const edited = await rig.request("POST", `${path}/edit`, edit, { "if-match": tag });
    expect(edited.status).toBe(200);
    const next = { "if-match": edited.headers.get("etag") ?? "" };
    expect((await rig.request("POST", `${path}/move`, move, next)).status).toBe(200);
    expect((await rig.request("DELETE", `${path}/file?path=g`, undefined, { "if-match": tag })).status).toBe(412);
    expect((await rig.request("DELETE", `${path}/file?path=g`, undefined, next)).status).toBe(200);
  });
});
