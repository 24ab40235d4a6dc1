import type { Billing, RouteInfo } from "@computeragent/protocol";
import type { PriceTable } from "../prices/price.ts";

/** The header that carries a credential, and its value as it goes over the wire. */
export interface Credential {
  readonly header: "x-api-key" | "authorization";
  readonly value: string;
}

/** A model endpoint that the broker forwards to. */
export interface BrokerRoute {
  readonly id: string;
  readonly protocol: "anthropic" | "offline";
  /** Where the API lives, without `/v1`. Default: Anthropic's own. */
  readonly baseUrl?: string;
  readonly credential?: Credential;
  readonly models?: readonly string[];
  /** Prices of this route; Anthropic's list prices when left out. */
  readonly prices?: PriceTable;
}

/** Anthropic's own endpoint. */
export const ANTHROPIC_URL = "https://api.anthropic.com";

/** A route as callers may see it. */
export const routeInfo = (route: BrokerRoute): RouteInfo => ({
  id: route.id,
  protocol: route.protocol,
  models: [...(route.models ?? [])],
  offline: route.protocol === "offline",
});

/** How calls over a route are paid, as far as the credential tells. */
export function billingOf(route: BrokerRoute): Billing {
  if (route.protocol === "offline") return "offline";
  if (route.credential?.header === "x-api-key") return "metered";
  return route.credential?.value.startsWith("Bearer sk-ant-oat") ? "subscription" : "unknown";
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || host === "0.0.0.0" || /^127\.\d+\.\d+\.\d+$/.test(host);

/** What is wrong with the base URL of an endpoint; `null` when nothing is. `own` is the broker's port. */
export function baseUrlFault(text: string, own?: number): string | null {
  if (!URL.canParse(text)) return "is not a URL.";
  const url = new URL(text);
  const loopback = isLoopback(url.hostname);
  if (url.protocol !== "https:" && url.protocol !== "http:") return "must begin with https:.";
  if (url.protocol === "http:" && !loopback) return "must begin with https:, unless it is on this machine.";
  if (url.username || url.password || url.search || url.hash) return "must hold no user, query or fragment.";
  if (loopback && own !== undefined && url.port === String(own)) return "must not point to the broker itself.";
  return null;
}
