import { ROUTES, WireError } from "@computeragent/protocol";
import { Hono } from "hono";
import { chat } from "../routes/v1/chat.ts";
import { mountHealth } from "../routes/v1/health.ts";
import { cancel, endInput, interrupt } from "../routes/v1/sessions/control.ts";
import { events } from "../routes/v1/sessions/events.ts";
import { fork } from "../routes/v1/sessions/fork.ts";
import { fsRoutes } from "../routes/v1/sessions/fs.ts";
import { sendMessage } from "../routes/v1/sessions/messages.ts";
import { answerPermission, listPermissions } from "../routes/v1/sessions/permission.ts";
import { createSessionRoute, deleteSession, getSession, listSessions } from "../routes/v1/sessions.ts";
import type { Host } from "../services/host.ts";
import { checkNames, checkTarget, type Names, targetOf } from "./guard.ts";
import { Idempotency } from "./idempotency.ts";
import { problemResponse } from "./problem.ts";
import type { BoundRoute } from "./route.ts";

const BOUND: readonly BoundRoute[] = [
  chat,
  createSessionRoute,
  listSessions,
  getSession,
  deleteSession,
  events,
  sendMessage,
  answerPermission,
  listPermissions,
  interrupt,
  cancel,
  endInput,
  fork,
  ...fsRoutes,
];

/** Nobody is there to read this status. */
const CLIENT_GONE = 499;

/** The HTTP application of a host. `names` is read on every request: it is known only after listening. */
export function createApp(host: Host, names: () => Names): Hono {
  const app = new Hono();
  const { logger } = host.config;
  const idempotency = new Idempotency();
  app.onError((error, c) => {
    if (WireError.isInstance(error) || !c.req.raw.signal.aborted) return problemResponse(error, logger);
    logger.debug({ err: error }, "a client left before its answer");
    return new Response(null, { status: CLIENT_GONE });
  });
  app.notFound(() => problemResponse(new WireError("NOT_FOUND", "there is no such route"), logger));
  app.use(async (c, next) => {
    const target = targetOf(c);
    if (target !== undefined) checkTarget(target, names());
    checkNames(c.req.raw, names(), target !== undefined);
    if (host.closing.aborted && c.req.method !== "GET" && c.req.method !== "HEAD") {
      throw new WireError("DRAINING", "the host is shutting down");
    }
    await next();
  });
  mountHealth(app, host);
  for (const bound of BOUND) bound.mount(app, host, idempotency);
  mountMethodNotAllowed(app, host);
  return app;
}

/** A known path with another method is 405 and says which methods there are. */
function mountMethodNotAllowed(app: Hono, host: Host): void {
  const methods = new Map<string, string[]>([[ROUTES.health.path, ["GET"]]]);
  for (const { spec } of BOUND) methods.set(spec.path, [...(methods.get(spec.path) ?? []), spec.method]);
  for (const [path, allowed] of methods) {
    app.all(path, () => {
      const allow = allowed.join(", ");
      const response = problemResponse(new WireError("METHOD_NOT_ALLOWED", `use ${allow}`), host.config.logger);
      response.headers.set("allow", allow);
      return response;
    });
  }
}
