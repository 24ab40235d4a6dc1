import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * The yardstick: a bare SSE server. `POST /go?n=&bytes=` writes n events whose data has so many bytes to every reader, one
 * write for each, awaiting drain. Nothing is made, checked, numbered or kept: the data is the same text each time.
 */
const readers = new Set<ServerResponse>();
const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? "/", "http://x");
  if (url.pathname === "/events") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    readers.add(response);
    response.on("close", () => readers.delete(response));
    return;
  }
  if (url.pathname === "/go") {
    response.end();
    await burst(Number(url.searchParams.get("n")), Number(url.searchParams.get("bytes") ?? "80"));
    return;
  }
  response.end('{"ok":true}');
});

let id = 0;

async function burst(n: number, bytes: number): Promise<void> {
  const text = "x".repeat(bytes);
  for (let i = 0; i < n; i++) {
    const frame = Buffer.from(`id: ${id++}\nevent: e\ndata: ${text}\n\n`);
    const full: Promise<void>[] = [];
    for (const reader of readers) {
      if (!reader.write(frame)) full.push(new Promise((resolve) => reader.once("drain", resolve)));
    }
    if (full.length > 0) await Promise.all(full);
  }
  const last = id++;
  for (const reader of readers) reader.write(`id: ${last}\nevent: end\ndata: {}\n\n`);
}

server.listen(0, "127.0.0.1", () =>
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
