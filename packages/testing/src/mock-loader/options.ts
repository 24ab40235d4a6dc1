import type { EngineProfile, Governance, LoadRequest, LoadResult, WireError } from "@computeragent/protocol";

/** Settings of `createMockLoader`; what an inline manifest says wins. */
export interface MockLoaderOptions {
  /** Default `mock`. */
  readonly name?: string;
  readonly governance?: Governance;
  readonly notices?: LoadResult["notices"];
  readonly model?: LoadResult["model"];
  readonly profile?: EngineProfile;
  /** Refuse every source with this error. */
  readonly fail?: WireError;
  /** Called with each request before anything is done. */
  readonly onLoad?: (request: LoadRequest) => void;
}
