import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRequest } from "./read-request.ts";

const read = async (url: string) => {
  const incoming = new IncomingMessage(new Socket());
  incoming.url = url;
  incoming.push(null);
  return await readRequest(incoming);
};

describe("the target of a model call", () => {
  it("is a path of the API below this host, or there is nothing", async () => {
    const piece = fc.constantFrom(
      "/",
      "v1",
      "messages",
      "..",
      ".",
      "%2e%2e",
      "%2f",
      "\\",
      "@evil",
      "//evil",
      ":80",
      "?",
      "#",
      "http://",
      "%",
      "\t",
      "\0",
    );
    const url = fc.oneof(
      fc.array(piece, { maxLength: 10 }).map((all) => all.join("")),
      fc.array(piece, { maxLength: 6 }).map((all) => `/v1/${all.join("")}`),
      fc.string({ unit: "binary" }),
    );
    await fc.assert(
      fc.asyncProperty(url, async (text) => {
        const request = await read(text);
        if ("status" in request) {
          expect(request.status).toBe(404);
          return;
        }
        const sent = new URL(`https://api.example${request.target}`);
        expect(sent.host).toBe("api.example");
        expect(sent.pathname).toBe(request.path);
        expect(request.path).toMatch(/^\/v1\//);
        expect(request.path.split("/")).not.toContain("..");
      }),
      { numRuns: 1000 },
    );
  });
});
