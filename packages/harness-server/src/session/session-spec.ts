import type {
  Access,
  EngineDriver,
  EngineProfile,
  EngineState,
  Governance,
  IdentityInfo,
  Limits,
  PermissionMode,
  Principal,
} from "@computeragent/protocol";

/** The folders of a session. `owned` are those that the host made and removes when the session is purged. */
export interface SessionDirs {
  readonly workspace: string;
  readonly workspaceOwned: boolean;
  readonly identity: string | undefined;
  readonly generated: string;
  readonly home: string;
  readonly tmp: string;
  readonly owned: readonly string[];
}

/** What a session was made from: fixed for its life. */
export interface SessionSpec {
  readonly id: string;
  readonly stream: number;
  readonly principal: Principal;
  readonly engine: EngineDriver;
  /** Canonical text of engine and identity, to tell whether a chat may join. */
  readonly origin: string;
  readonly identity: IdentityInfo | null;
  readonly dirs: SessionDirs;
  readonly access: Access;
  readonly permissionMode: PermissionMode;
  readonly governance: Governance;
  readonly limits: Limits;
  readonly model: string | null;
  readonly fallbacks: readonly string[];
  readonly profile: EngineProfile;
  readonly options: unknown;
  readonly includePartials: boolean;
  /** As the caller gave them, credentials included. */
  readonly callerEnvs: Readonly<Record<string, string>>;
  /** The route that the caller asked for. */
  readonly route: string | undefined;
  /** What the agent sees. */
  readonly envs: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly resume?: EngineState & { readonly fork: boolean };
}
