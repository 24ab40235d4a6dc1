import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import type { HarnessServer, HarnessServerConfig, HostLimits, Logger } from "@computeragent/harness-server";
import type { EngineDriver, IdentityLoader } from "@computeragent/protocol";
import { newId } from "@computeragent/protocol/ids";
import type { ContainmentTier } from "@computeragent/supervisor";
import { CliError, EXIT } from "../exit-codes.ts";
import { ensureHome, ensureRuntimeDir } from "./home.ts";
import { claimHostDirs, sweepDeadHosts } from "./host-record.ts";
import { lazyIdentities } from "./identities.ts";
import { readScenarios } from "./scenarios.ts";
import { readToken } from "./token-file.ts";

/** What a host is made of, besides the engines and loaders that this program brings. */
export interface ComposeOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What callers must send; null = everybody may call. */
  readonly token: string | null;
  readonly logger: Logger;
  readonly version: string;
  readonly allowWorkspaces?: readonly string[];
  readonly allowedHosts?: HarnessServerConfig["allowedHosts"];
  /** What differs from the server's defaults. */
  readonly limits?: Partial<HostLimits>;
  readonly mock?: boolean;
  readonly containment?: ContainmentTier;
  /** Keep an engine process ready for the next session: for hosts that serve many. */
  readonly warmPool?: boolean;
  /** What the offline model pretends to cost, in USD per million tokens: for tests of budgets. */
  readonly simulatePrice?: { readonly input: number; readonly output: number };
  /** YAML files with scenarios for the offline model. */
  readonly scenarioFiles?: readonly string[];
}

/** A composed host. `offline`: model calls go to the offline model unless a caller brings a key. */
export interface ComposedHost extends AsyncDisposable {
  readonly server: HarnessServer;
  readonly home: string;
  readonly offline: boolean;
  readonly tier: string;
}

/** Composes a host: supervisor, model broker, engines, loaders. Cleans up after dead hosts first. */
export async function composeHost(options: ComposeOptions): Promise<ComposedHost> {
  const home = await ensureHome(options.env);
  const runtimeDir = await ensureRuntimeDir(options.env);
  await sweepDeadHosts(home, runtimeDir);
  await using stack = new AsyncDisposableStack();
  const hostId = newId("host");
  const dirs = await claimHostDirs(home, runtimeDir, hostId);
  stack.defer(() => dirs.remove());
  // The supervisor tries out the machine in processes of its own: meanwhile the rest is loaded.
  const supervision = await import("@computeragent/supervisor");
  const supervising = supervision
    .createSupervisor({ hostId, runtimeDir: dirs.tmpDir, tier: options.containment ?? "auto" })
    .catch((error: unknown) => {
      const isKnown = error instanceof supervision.ContainmentUnavailableError;
      throw isKnown ? new CliError(error.message, EXIT.failed, error) : error;
    });
  // Its failure is told where it is awaited: until then it is nobody's.
  supervising.catch(() => {});
  stack.defer(async () => (await supervising.catch(() => undefined))?.[Symbol.asyncDispose]());
  const brokers = await loaded(import("@computeragent/model-broker"));
  const engines = await loaded(import("@computeragent/engine-claude-agent-sdk"));
  const servers = await loaded(import("@computeragent/harness-server"));
  const mocks = options.mock ? await loaded(import("@computeragent/testing")) : undefined;
  const routes = brokers.routesFromEnv(options.env);
  const scenarios = await readScenarios(options.scenarioFiles ?? []);
  const broker = stack.use(
    await brokers.createModelBroker({
      routes,
      logger: options.logger,
      offline: offlineOptions(scenarios, options.simulatePrice),
      proxyEnv: options.env,
    }),
  );
  const identities = lazyIdentities(
    { run: supervision.run, env: options.env, cacheDir: join(home, "cache", "git") },
    options.allowWorkspaces ?? [],
  );
  const supervisor = await supervising;
  const engineList: EngineDriver[] = [
    engines.createClaudeAgentEngine({
      supervisor,
      logger: options.logger,
      warmPool: options.warmPool ?? false,
      runtimeDir: dirs.tmpDir,
      ...retriesFrom(options.env),
    }),
  ];
  const loaderList: IdentityLoader[] = [identities.loader];
  if (mocks) {
    engineList.push(mocks.createMockEngine());
    loaderList.push(mocks.createMockLoader());
  }
  const server = stack.use(
    await servers.createHarnessServer({
      engines: engineList,
      identityLoaders: loaderList,
      dataDir: dirs.dataDir,
      runtimeDir: dirs.tmpDir,
      models: broker,
      gitCheckout: identities.checkout,
      auth: options.token === null ? null : servers.bearerToken(options.token),
      hostHome: await realpath(home),
      secrets: await hostSecrets(home, options.token),
      logger: options.logger,
      version: options.version,
      hostId,
      limits: options.limits ?? {},
      containment: { tier: supervisor.tier, tiers: supervisor.tiers },
      ...(options.allowWorkspaces ? { allowWorkspaces: options.allowWorkspaces } : {}),
      ...(options.allowedHosts ? { allowedHosts: options.allowedHosts } : {}),
    }),
  );
  const owned = stack.move();
  const offline = broker.routes().find((route) => route.id === broker.defaultRoute)?.offline ?? false;
  return { server, home, offline, tier: supervisor.tier, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** What was loaded, once the loop has turned: what waits for a process goes on meanwhile. */
async function loaded<T>(module: Promise<T>): Promise<T> {
  const result = await module;
  await nextTick();
  return result;
}

function offlineOptions<T>(scenarios: readonly T[], price: ComposeOptions["simulatePrice"]) {
  if (!price) return { scenarios };
  return { scenarios, simulatePrice: { "*": { ...price, cacheRead: price.input, cacheWrite: price.input } } };
}

/** Claude Code's own setting for how often a failed model call is repeated; the operator's, not a caller's. */
function retriesFrom(env: ComposeOptions["env"]): { maxRetries?: number } {
  const text = env.CLAUDE_CODE_MAX_RETRIES ?? "";
  return /^\d{1,3}$/.test(text) ? { maxRetries: Number(text) } : {};
}

/** This machine's host token: an agent may find its file, but no event shows it. */
async function hostSecrets(home: string, token: string | null): Promise<string[]> {
  const known = token ?? (await readToken(home).catch(() => undefined));
  return known === undefined ? [] : [known];
}
