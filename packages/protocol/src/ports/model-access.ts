import type { RouteInfo } from "../wire/health.ts";
import type { Billing, Limits, Usage } from "../wire/vocabulary.ts";

/** Called once per finished model call, before the last byte of the answer reaches the engine. */
export type UsageListener = (call: ModelCallUsage) => void;

/** What one model call used. `agentId` is set for sub-agents where the engine says so. */
export interface ModelCallUsage {
  readonly model: string;
  readonly usage: Usage;
  readonly billing: Billing;
  readonly agentId?: string;
}

/** What a session asks of the broker. */
export interface ModelRequest {
  readonly sessionId: string;
  /** Route id; absent = the host's default. `WireError` UNKNOWN_ROUTE if there is none of that name. */
  readonly route?: string;
  /** The caller's own model credentials (`ANTHROPIC_API_KEY`, …): they become a private route of this session. */
  readonly credentials?: Readonly<Record<string, string>>;
  readonly limits: Limits;
  readonly onUsage: UsageListener;
  /** A limit of tokens or money is used up: further calls are refused. Called once. */
  readonly onExhausted: (limit: "maxBudgetUsd" | "maxTokens", detail: string) => void;
  /** For example a USD cap that had to become a token cap. */
  readonly onNotice: (code: string, message: string) => void;
}

/** A session's access to its model. The engine sees `baseUrl` and `token`, never the credential. */
export interface ModelGrant {
  readonly route: RouteInfo;
  readonly baseUrl: string;
  readonly token: string;
  /** Environment names that the broker took as credentials: the agent must not see them. */
  readonly consumedEnvs: readonly string[];
  /** Ends the access: the token is refused from now on, running calls are cut. Idempotent. */
  close(): Promise<void>;
}

/** The model broker as the harness server sees it. */
export interface ModelAccess {
  routes(): readonly RouteInfo[];
  readonly defaultRoute: string | null;
  /** Names of variables that `credentials` may hold. */
  readonly credentialNames: readonly string[];
  open(request: ModelRequest): Promise<ModelGrant>;
}
