import type {
  AuditSink,
  AuthHandler,
  EngineDriver,
  EventJournal,
  GitCheckout,
  IdentityLoader,
  Limits,
  ModelAccess,
} from "@computeragent/protocol";
import { DEFAULT_LIMITS, type HostLimits } from "./limits.ts";
import { type Logger, silentLogger } from "./logger.ts";

/** Everything a harness host is composed of. Nothing is bound by the framework: engines and loaders come from here. */
export interface HarnessServerConfig {
  readonly engines: readonly EngineDriver[];
  readonly identityLoaders: readonly IdentityLoader[];
  /** Folder of the host's own state: session homes and owned work folders live under it. Must exist or be creatable. */
  readonly dataDir: string;
  /** Short private folder for sockets and temporary files; default `dataDir/tmp`. */
  readonly runtimeDir?: string;
  /** Default: a memory journal with the host's limits. One that is given stays open when the host closes. */
  readonly journal?: EventJournal;
  readonly models?: ModelAccess;
  readonly gitCheckout?: GitCheckout;
  /** Null = everybody is the local administrator (loopback and in-process only). */
  readonly auth: AuthHandler | null;
  /** Exact Host values that are served, or "any" for in-process use. Default after `listen`: what the listener is called, with its port and without. */
  readonly allowedHosts?: readonly string[] | "any";
  /** Exact Origin values. Default: the allowed hosts and the listeners themselves. */
  readonly allowedOrigins?: readonly string[];
  /** Folders under which `workspace: {type: "local"}` is allowed. Default: none. */
  readonly allowWorkspaces?: readonly string[];
  readonly limits?: Partial<HostLimits>;
  /** Upper bounds for every session. */
  readonly sessionLimits?: Limits;
  /** Real path of the folder with the host's own secrets, such as its token: no tool call touches it unasked. Default: none. */
  readonly hostHome?: string;
  /** Values of the host's own, such as its token, that no event may show. */
  readonly secrets?: readonly string[];
  readonly audit?: AuditSink;
  readonly logger?: Logger;
  /** Shown in health. */
  readonly version?: string;
  readonly hostId?: string;
  /** Shown in health, e.g. the containment tier. */
  readonly containment?: Readonly<Record<string, unknown>>;
}

/** The configuration with every default filled in. */
export interface ResolvedConfig extends HarnessServerConfig {
  readonly limits: HostLimits;
  readonly logger: Logger;
  readonly version: string;
  readonly engineMap: ReadonlyMap<string, EngineDriver>;
  readonly loaderMap: ReadonlyMap<string, IdentityLoader>;
}

/** How long ended sessions can be read with a durable journal. */
const DURABLE_RETENTION_MS = 24 * 3_600_000;

/** Fills in defaults. Throws a plain `Error` for a composition that cannot work. */
export function resolveConfig(config: HarnessServerConfig): ResolvedConfig {
  if (config.engines.length === 0) throw new Error("a harness server needs at least one engine");
  const endedRetentionMs = config.journal?.durable ? DURABLE_RETENTION_MS : DEFAULT_LIMITS.endedRetentionMs;
  return {
    ...config,
    limits: { ...DEFAULT_LIMITS, endedRetentionMs, ...config.limits },
    logger: config.logger ?? silentLogger,
    version: config.version ?? "0.1.0",
    engineMap: byName("engine", config.engines),
    loaderMap: byName("identity loader", config.identityLoaders),
  };
}

function byName<T extends { readonly name: string }>(what: string, list: readonly T[]): ReadonlyMap<string, T> {
  const map = new Map<string, T>();
  for (const item of list) {
    if (map.has(item.name)) throw new Error(`two ${what}s are called ${item.name}`);
    map.set(item.name, item);
  }
  return map;
}
