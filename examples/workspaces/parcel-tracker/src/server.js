import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const config = JSON.parse(readFileSync(new URL("../config/service.json", import.meta.url), "utf8"));

createServer((request, response) => {
  const id = /^\/parcels\/([\w-]+)$/.exec(request.url ?? "")?.[1];
  response.writeHead(id ? 200 : 404, { "content-type": "application/json" });
  response.end(JSON.stringify(id ? { id, carrier: config.carriers[0] } : { error: "no such parcel" }));
}).listen(config.port);
