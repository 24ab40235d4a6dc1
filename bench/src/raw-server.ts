import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The yardstick: a bare SSE server. `POST /go?n=` writes n pre-encoded events of 80 bytes to every reader, awaiting drain. */
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
    await burst(Number(url.searchParams.get("n")));
    return;
  }
  response.end('{"ok":true}');
});

async function burst(n: number): Promise<void> {
  const text = "x".repeat(80);
  for (let i = 0; i < n; i++) {
    const frame = Buffer.from(`id: ${i}\nevent: e\ndata: ${text}\n\n`);
    const full: Promise<void>[] = [];
    for (const reader of readers) {
      if (!reader.write(frame)) full.push(new Promise((resolve) => reader.once("drain", resolve)));
    }
    if (full.length > 0) await Promise.all(full);
  }
  for (const reader of readers) reader.write(`id: ${n}\nevent: end\ndata: {}\n\n`);
}

server.listen(0, "127.0.0.1", () =>
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
