import { type EngineDriver, type Health, type JsonObject, PROTOCOL_VERSION } from "@computeragent/protocol";
import type { Hono } from "hono";
import { z } from "zod";
import { json } from "../../http/answer.ts";
import { identify } from "../../http/guard.ts";
import type { Host } from "../../services/host.ts";

/** Mounts `GET /v1/health`: four facts for everybody, everything for whoever has a credential. */
export function mountHealth(app: Hono, host: Host): void {
  app.get("/v1/health", async (c) => {
    const open: Health = {
      ok: !host.closing.aborted,
      status: host.closing.aborted ? "draining" : "ready",
      version: host.config.version,
      protocolVersion: PROTOCOL_VERSION,
    };
    const principal = await identify(c.req.raw, host);
    const health = principal ? { ...open, ...(await details(host)) } : open;
    return json(health, host.closing.aborted ? 503 : 200).send(c);
  });
}

async function details(host: Host): Promise<Omit<Health, "ok" | "status" | "version" | "protocolVersion">> {
  const { engineMap, loaderMap, models, limits, containment } = host.config;
  const engines: NonNullable<Health["engines"]> = {};
  for (const [name, engine] of engineMap) {
    engines[name] = {
      capabilities: [...engine.capabilities],
      options: optionsOf(engine),
      version: await engine.version().catch(() => null),
    };
  }
  return {
    hostId: host.hostId,
    engines,
    loaders: [...loaderMap.keys()],
    stores: [],
    routes: [...(models?.routes() ?? [])],
    defaultRoute: models?.defaultRoute ?? null,
    journal: host.journal.kind,
    ...(containment ? { containment: asJson(containment) } : {}),
    limits: { ...limits },
    sessions: { live: host.registry.live, known: host.registry.all().length, readers: host.readers },
  };
}

const published = new WeakMap<EngineDriver, JsonObject>();

/** JSON Schema of what a caller may put into `options`, made once. */
function optionsOf(engine: EngineDriver): JsonObject {
  const schema =
    published.get(engine) ?? asJson(z.toJSONSchema(engine.optionsSchema, { unrepresentable: "any", io: "input" }));
  published.set(engine, schema);
  return schema;
}

function asJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
