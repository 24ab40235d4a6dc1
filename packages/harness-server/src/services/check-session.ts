import { type CreateSessionBody, type EngineDriver, WireError } from "@computeragent/protocol";
import type { Host } from "./host.ts";
import { checkEnvs } from "./session-envs.ts";

/** Checks everything about a create body that needs no work, before anything is made. Returns the engine. */
export function checkSession(host: Host, body: CreateSessionBody): EngineDriver {
  const { engineMap, loaderMap, models } = host.config;
  const engine = engineMap.get(body.engine);
  if (!engine) {
    const detail = `there is no engine ${JSON.stringify(body.engine)} here; there is ${list(engineMap.keys())}`;
    throw new WireError("UNKNOWN_ENGINE", detail);
  }
  if (body.identity && !loaderMap.has(body.identity.loader)) {
    const detail = `there is no loader ${JSON.stringify(body.identity.loader)} here; there is ${list(loaderMap.keys())}`;
    throw new WireError("UNKNOWN_LOADER", detail);
  }
  if (body.sessionStore) throw new WireError("UNKNOWN_STORE", "this host has no session stores");
  const routes = (models?.routes() ?? []).map(({ id }) => id);
  if (body.route !== undefined && !routes.includes(body.route)) {
    throw new WireError(
      "UNKNOWN_ROUTE",
      `there is no route ${JSON.stringify(body.route)} here; there is ${list(routes)}`,
    );
  }
  if (!body.identity && (body.workspace === undefined || body.workspace.type === "identity")) {
    throw new WireError("VALIDATION", "without an identity a workspace is required", {
      errors: [{ pointer: "/workspace", message: "required when identity is absent" }],
    });
  }
  checkEnvs(body.envs ?? {});
  return engine;
}

function list(names: Iterable<string>): string {
  return [...names].join(", ") || "none";
}
