import { type ModelAccess, type ModelGrant, type ModelRequest, WireError } from "@computeragent/protocol";
import type { CallTarget } from "./handle.ts";
import { shownTokens } from "./http/headers.ts";
import { HttpUpstream, type ProxyEnv } from "./http/http-upstream.ts";
import { type Logger, SILENT } from "./logger.ts";
import { createOfflineModel } from "./offline/model.ts";
import type { Scenario } from "./offline/scenario/schema.ts";
import { ANTHROPIC_PRICES } from "./prices/anthropic.ts";
import type { PriceTable } from "./prices/price.ts";
import { CREDENTIAL_NAMES, privateRoute } from "./routes/credentials.ts";
import { ANTHROPIC_URL, type BrokerRoute, baseUrlFault, billingOf, routeInfo } from "./routes/route.ts";
import { type Listening, serve } from "./server.ts";
import { Account, type Pricing } from "./session/account.ts";
import { Tokens } from "./session/tokens.ts";
import type { Upstream } from "./upstream.ts";

/** What a broker is made of. */
export interface ModelBrokerOptions {
  /** At least one; ids are unique. */
  readonly routes: readonly BrokerRoute[];
  /** Id of the route of sessions that name none. Default: the first that is not offline, else the first. */
  readonly defaultRoute?: string;
  readonly offline?: {
    readonly scenarios?: readonly Scenario[];
    /** Lets offline calls cost something, for tests. */
    readonly simulatePrice?: PriceTable;
  };
  readonly host?: "127.0.0.1";
  /** Default 0: any free port. */
  readonly port?: number;
  readonly logger?: Logger;
  /** Variables that name an outgoing proxy (`HTTPS_PROXY`, `NO_PROXY`, …). Default: none. */
  readonly proxyEnv?: ProxyEnv;
}

/** The model broker: an endpoint on a loopback port that answers session tokens only. Dispose to stop it. */
export interface ModelBroker extends ModelAccess, Listening {}

function checkRoutes({ routes, defaultRoute }: ModelBrokerOptions): BrokerRoute {
  const ids = routes.map((route) => route.id);
  if (new Set(ids).size < ids.length) throw new Error(`Model route ids must differ: ${ids.join(", ")}`);
  for (const { id, baseUrl = ANTHROPIC_URL } of routes) {
    const fault = baseUrlFault(baseUrl);
    if (fault !== null) throw new Error(`The baseUrl of the model route "${id}" ${fault}`);
  }
  const standard =
    defaultRoute === undefined
      ? (routes.find((route) => route.protocol !== "offline") ?? routes[0])
      : routes.find((route) => route.id === defaultRoute);
  if (!standard) throw new Error(`There is no model route "${defaultRoute ?? ""}" to be the default.`);
  return standard;
}

/** Starts a model broker. Rejects when the port is taken or the routes contradict each other. */
export async function createModelBroker(options: ModelBrokerOptions): Promise<ModelBroker> {
  const { logger = SILENT, host = "127.0.0.1", port = 0, offline = {} } = options;
  const standard = checkRoutes(options);
  const routes = new Map(options.routes.map((route) => [route.id, route]));
  const offlineModel = createOfflineModel(offline);
  const connect = (route: BrokerRoute): Upstream =>
    route.protocol === "offline"
      ? offlineModel
      : new HttpUpstream(route.baseUrl ?? ANTHROPIC_URL, route.credential, options.proxyEnv ?? {});
  const shared = new Map(options.routes.map((route) => [route.id, connect(route)]));
  const tokens = new Tokens<CallTarget>();
  const grants = new Set<ModelGrant>();

  const listening = await serve({
    host,
    port,
    logger,
    authenticate: (request) => {
      for (const token of shownTokens(request.headers)) {
        const target = tokens.find(token);
        if (target) return target;
      }
      return null;
    },
  });

  function pricingOf(route: BrokerRoute): Pricing {
    const billing = billingOf(route);
    const table = billing === "offline" ? offline.simulatePrice : (route.prices ?? ANTHROPIC_PRICES);
    return table && billing !== "subscription" ? { billing, table } : { billing };
  }

  function choose(request: ModelRequest): { route: BrokerRoute; upstream: Upstream; own: boolean } {
    const credentials = request.credentials ?? {};
    if (request.route !== undefined) {
      const route = routes.get(request.route);
      const upstream = shared.get(request.route);
      if (!route || !upstream) throw new WireError("UNKNOWN_ROUTE", `There is no model route "${request.route}".`);
      if (privateRoute(credentials, listening.port)) {
        const message = `The session names the route ${route.id}: its own model credential is not used.`;
        request.onNotice("credentials_unused", message);
      }
      return { route, upstream, own: false };
    }
    const own = privateRoute(credentials, listening.port);
    const upstream = own ? connect(own) : (shared.get(standard.id) ?? connect(standard));
    return { route: own ?? standard, upstream, own: own !== null };
  }

  async function open(request: ModelRequest): Promise<ModelGrant> {
    const { route, upstream, own } = choose(request);
    const account = new Account(request, pricingOf(route), logger);
    const end = new AbortController();
    const running = new Set<Promise<void>>();
    const token = tokens.issue({ upstream, account, signal: end.signal, running });
    const grant: ModelGrant = {
      route: routeInfo(route),
      baseUrl: listening.url,
      token,
      consumedEnvs: CREDENTIAL_NAMES.filter((name) => request.credentials?.[name] !== undefined),
      close: async () => {
        tokens.revoke(token);
        end.abort(new Error("The session has ended."));
        await Promise.all(running);
        if (own) upstream.dispose?.();
        grants.delete(grant);
      },
    };
    grants.add(grant);
    return grant;
  }

  return {
    url: listening.url,
    port: listening.port,
    routes: () => options.routes.map(routeInfo),
    defaultRoute: standard.id,
    credentialNames: CREDENTIAL_NAMES,
    open,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...grants].map((grant) => grant.close()));
      await listening[Symbol.asyncDispose]();
      for (const upstream of shared.values()) upstream.dispose?.();
    },
  };
}
