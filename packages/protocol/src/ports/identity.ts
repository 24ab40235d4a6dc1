import type { NoticeData } from "../events/life.ts";
import type { JsonObject } from "../json.ts";
import type { IdentityInfo, IdentitySource } from "../wire/identity.ts";
import type { Access, Hitl, Limits, PermissionMode } from "../wire/vocabulary.ts";

/** What every engine can be told about who it is. An engine honours what it can and reports the rest as notices. */
export interface EngineProfile {
  /** Appended to the engine's own system prompt. */
  readonly instructions?: string;
  /** A generated plug-in folder (`skills/<name>/SKILL.md` inside) and the enabled skill names. */
  readonly skills?: { readonly pluginDir: string; readonly names: readonly string[] };
  /** Options for one engine alone, produced by the loader's translator for that engine. */
  readonly engine?: JsonObject;
}

/** What the manifest demands. It may only tighten what caller and operator say. */
export interface Governance {
  readonly hitl?: Hitl;
  readonly access?: Access;
  readonly permissionMode?: PermissionMode;
  readonly limits?: Limits;
  /** For `gap_compliance` of permission requests. */
  readonly compliance?: { readonly framework: string; readonly rule_citations?: readonly string[] };
}

/** Arguments of `IdentityLoader.load`. */
export interface LoadRequest {
  readonly source: IdentitySource;
  readonly targetEngine: string;
  /** An existing, empty folder of the session: the identity's files go here. */
  readonly dir: string;
  /** An existing, empty folder of the session's home: generated files (plug-ins) go here. */
  readonly generatedDir: string;
  readonly signal: AbortSignal;
}

/** Result of `IdentityLoader.load`. */
export interface LoadResult {
  readonly info: IdentityInfo;
  readonly profile: EngineProfile;
  readonly governance: Governance;
  readonly model: { readonly preferred?: string; readonly fallbacks: readonly string[] };
  readonly notices: readonly NoticeData[];
}

/**
 * Turns a source into what an engine needs. Rejects with `WireError` IDENTITY_INVALID (with `errors` of file and pointer)
 * or SOURCE_UNREACHABLE. Leaves nothing outside `dir` and `generatedDir` except its own cache.
 */
export interface IdentityLoader {
  readonly name: string;
  load(request: LoadRequest): Promise<LoadResult>;
}

/** Fetches a git workspace into an empty folder. Rejects with `WireError` SOURCE_UNREACHABLE. Resolves with the commit id. */
export type GitCheckout = (request: {
  readonly url: string;
  readonly ref?: string;
  readonly dir: string;
  readonly signal: AbortSignal;
}) => Promise<{ readonly sha: string }>;
