import { WireError } from "@computeragent/protocol";
import { ANTHROPIC_URL, type BrokerRoute, baseUrlFault, type Credential } from "./route.ts";

/** Names of variables that hold a model credential or belong to one. */
export const CREDENTIAL_NAMES = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"] as const;

type Name = (typeof CREDENTIAL_NAMES)[number];
type Variables = Readonly<Record<string, string | undefined>>;

const invalid = (name: Name, message: string): WireError =>
  new WireError("VALIDATION", `${name} ${message}`, { errors: [{ pointer: `/envs/${name}`, message }] });

/** The credential among some variables; a token comes before a key, as in Claude Code. */
function credentialOf(variables: Variables): Credential | null {
  for (const name of ["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"] as const) {
    const value = variables[name]?.trim();
    if (!value) continue;
    if (!/^[\x21-\x7e]+$/.test(value)) throw invalid(name, "holds characters that no credential has.");
    return name === "ANTHROPIC_AUTH_TOKEN"
      ? { header: "authorization", value: `Bearer ${value}` }
      : { header: "x-api-key", value };
  }
  return null;
}

function anthropicRoute(id: string, variables: Variables, own?: number): BrokerRoute | null {
  const credential = credentialOf(variables);
  if (!credential) return null;
  const baseUrl = variables.ANTHROPIC_BASE_URL?.trim().replace(/\/+$/, "") || ANTHROPIC_URL;
  const fault = baseUrlFault(baseUrl, own);
  if (fault !== null) throw invalid("ANTHROPIC_BASE_URL", fault);
  return { id, protocol: "anthropic", baseUrl, credential };
}

/** The routes of a host: `anthropic` when the environment has a credential for it, and always `offline`. Throws `WireError` VALIDATION. */
export function routesFromEnv(env: Readonly<Record<string, string | undefined>>): BrokerRoute[] {
  const anthropic = anthropicRoute("anthropic", env);
  const offline: BrokerRoute = { id: "offline", protocol: "offline", models: ["offline-directives"] };
  return anthropic ? [anthropic, offline] : [offline];
}

/**
 * The route that a caller's own credentials make; `null` when there are none. A base URL alone is refused: the host's
 * credential must never go where a caller says. `own` is the broker's port. Throws `WireError` VALIDATION.
 */
export function privateRoute(variables: Variables, own: number): BrokerRoute | null {
  const route = anthropicRoute("private", variables, own);
  if (!route && variables.ANTHROPIC_BASE_URL?.trim()) {
    throw invalid("ANTHROPIC_BASE_URL", "needs ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN beside it.");
  }
  return route;
}
