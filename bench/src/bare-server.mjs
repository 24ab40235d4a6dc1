import { createServer } from "node:http";

/** The least a server can be, in plain JavaScript so that no type has to be stripped: for start time and memory. */
const server = createServer((_request, response) => response.end('{"ok":true}'));
server.listen(0, "127.0.0.1", () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
