import { describe, expect, it } from "vitest";
import { boot } from "../rig.test-support.ts";
import { sendRaw } from "./raw.test-support.ts";

const local = (path: string) => ({ type: "local", path });

describe("a body", () => {
  it("must say that it is JSON", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const body = JSON.stringify({ engine: "mock", workspace: local(rig.workspace) });
    const code = async (type: string, path = "/v1/sessions", text = body) =>
      (await rig.request("POST", path, text, { "content-type": type })).body.code;
    for (const type of [
      "text/plain",
      "text/plain;charset=UTF-8",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/plain; application/json",
      "",
    ]) {
      expect(await code(type), type).toBe("UNSUPPORTED_MEDIA_TYPE");
      expect(await code(type, `/v1/sessions/${sessionId}/interrupt`, "{}"), type).toBe("UNSUPPORTED_MEDIA_TYPE");
      expect(await code(type, "/v1/chat"), type).toBe("UNSUPPORTED_MEDIA_TYPE");
      expect(await code(type, `/v1/sessions/${sessionId}/fs/edit`), type).toBe("UNSUPPORTED_MEDIA_TYPE");
    }
    expect(await code("Application/JSON; charset=utf-8")).toBeUndefined();
    expect((await rig.request("POST", `/v1/sessions/${sessionId}/interrupt`)).status).toBe(200);
  });

  it("of a file may be anything", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const put = await rig.request("PUT", `/v1/sessions/${sessionId}/fs/file?path=a.txt`, "text", {
      "content-type": "text/plain",
      "if-none-match": "*",
    });
    expect(put.status).toBe(200);
  });

  it("may not be larger than the limit, said or not", async () => {
    const rig = await boot({ limits: { maxBodyBytes: 10_000 } });
    const big = JSON.stringify({ engine: "mock", workspace: local("x".repeat(20_000)) });
    const said = await rig.request("POST", "/v1/sessions", big);
    expect([said.status, said.body.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    const { host } = new URL(rig.url);
    const head = `POST /v1/sessions HTTP/1.1\r\nHost: ${host}\r\ncontent-type: application/json\r\nconnection: close\r\n`;
    const chunk = `${(5000).toString(16)}\r\n${" ".repeat(5000)}\r\n`;
    const unsaid = await sendRaw(rig.url, [`${head}transfer-encoding: chunked\r\n\r\n`, ...Array(4).fill(chunk)]);
    expect([unsaid.status, unsaid.body.includes("PAYLOAD_TOO_LARGE")]).toEqual([413, true]);
    const fits = await rig.request("POST", "/v1/sessions", { engine: "mock", workspace: local(rig.workspace) });
    expect(fits.status).toBe(201);
  });

  it("that comes in pieces is read whole", async () => {
    const rig = await boot();
    const { host } = new URL(rig.url);
    const text = JSON.stringify({ engine: "mock", workspace: local(rig.workspace) });
    const chunks = [...text].map((char) => `1\r\n${char}\r\n`);
    const head = `POST /v1/sessions HTTP/1.1\r\nHost: ${host}\r\ncontent-type: application/json\r\nconnection: close\r\n`;
    const answer = await sendRaw(rig.url, [`${head}transfer-encoding: chunked\r\n\r\n`, ...chunks, "0\r\n\r\n"]);
    expect(answer.status).toBe(201);
  });

  it("that is no JSON, no UTF-8, too deep or cut off is a clear error", async () => {
    const rig = await boot();
    const code = async (body: string) => (await rig.request("POST", "/v1/sessions", body)).body;
    expect((await code("{")).code).toBe("VALIDATION");
    expect((await code("")).detail).toContain("required");
    expect((await code("[1]")).code).toBe("VALIDATION");
    expect((await code(`{"engine":${"[".repeat(100_000)}`)).detail).toContain("deep");
    expect((await code(`{"a":${'{"a":'.repeat(5000)}1${"}".repeat(5001)}`)).detail).toContain("deep");
    const { host } = new URL(rig.url);
    const head = `POST /v1/sessions HTTP/1.1\r\nHost: ${host}\r\ncontent-type: application/json\r\nconnection: close\r\n`;
    const latin = await fetch(`${rig.url}/v1/sessions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: Buffer.from('{"engine":"\xff"}', "latin1"),
    });
    expect(await latin.json()).toMatchObject({ code: "VALIDATION", detail: "the body is not valid UTF-8" });
    const { connect } = await import("node:net");
    const cut = connect({ host: "127.0.0.1", port: Number(new URL(rig.url).port) });
    cut.write(`${head}content-length: 1000\r\n\r\n{"engine"`);
    setTimeout(() => cut.destroy(), 50);
    await new Promise((resolve) => cut.on("close", resolve));
    expect((await rig.request("GET", "/v1/health")).body.ok).toBe(true);
  });

  it("names every field that is wrong by an RFC 6901 pointer", async () => {
    const rig = await boot();
    const { body } = await rig.request("POST", "/v1/sessions", {
      engine: "mock",
      workspace: { type: "local", path: "" },
      "odd/na~me": 1,
      envs: { "1X": "y" },
    });
    const pointers = body.errors.map((e: { pointer: string }) => e.pointer);
    expect(pointers).toEqual(expect.arrayContaining(["/workspace/path", "/odd~1na~0me"]));
    expect(pointers.some((pointer: string) => pointer.startsWith("/envs"))).toBe(true);
  });

  it("has no power over prototypes", async () => {
    const rig = await boot();
    const polluted = `{"engine":"mock","workspace":${JSON.stringify(local(rig.workspace))},"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}`;
    const top = await rig.request("POST", "/v1/sessions", polluted);
    expect(top.status).toBe(400);
    const code = async (extra: string) =>
      (
        await rig.request(
          "POST",
          "/v1/sessions",
          `{"engine":"mock","workspace":${JSON.stringify(local(rig.workspace))},${extra}}`,
        )
      ).body.code;
    expect(await code('"options":{"constructor":1}')).toBe("OPTION_NOT_ALLOWED");
    expect(await code('"options":{"toString":1}')).toBe("OPTION_NOT_ALLOWED");
    const inline = (parts: string) => `"identity":{"loader":"gap","source":{"type":"inline",${parts}}}`;
    expect(await code('"options":{"__proto__":{"maxTurns":1}}')).toBe("VALIDATION");
    expect(await code('"envs":{"__proto__":"x"}')).toBe("VALIDATION");
    expect(await code(inline('"manifest":{"__proto__":1}'))).toBe("VALIDATION");
    expect(await code(inline('"manifest":{},"files":{"__proto__":"x"}'))).toBe("VALIDATION");
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(({} as Record<string, unknown>).maxTurns).toBeUndefined();
  });
});
