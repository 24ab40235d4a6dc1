import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { FrameSink } from "@computeragent/protocol";
import { ResponseReader } from "../sse/chunked.ts";
import type { FrameSinkFixture } from "./fixture.ts";

/** A fixture for sinks on a Node response: a real server, a real socket that reads only when told to. */
export async function nodeSinkFixture(makeSink: (response: ServerResponse) => FrameSink): Promise<FrameSinkFixture> {
  const made = Promise.withResolvers<FrameSink>();
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    made.resolve(makeSink(response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.pause();
  socket.on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");

  const http = new ResponseReader();
  const parts: Buffer[] = [];
  const ended = Promise.withResolvers<void>();
  socket.on("data", (bytes: Buffer) => {
    parts.push(http.feed(bytes));
    if (http.complete) ended.resolve();
  });
  socket.on("close", () => ended.resolve());
  return {
    sink: await made.promise,
    client: {
      resume: () => void socket.resume(),
      received: () => Buffer.concat(parts),
      ended: ended.promise,
      leave: () => void socket.resetAndDestroy(),
    },
    dispose: async () => {
      socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
