import type { EngineContext, EngineDriver } from "@computeragent/protocol";
import type { ContractCase } from "../contract/contract-case.ts";
import type { BedOptions, EngineBed } from "./engine-bed.ts";

/** What the suite needs of an engine. */
export interface EngineFixture {
  readonly driver: EngineDriver;
  /** Options for every session; default `{}`. */
  readonly options?: unknown;
  /** A model access per session, for engines that need one. */
  readonly openModel?: () => Promise<EngineContext["model"]>;
  readonly dispose?: () => Promise<void>;
}

/** Opens beds for one case, and clears them away. */
export interface Probe {
  open(options?: BedOptions): Promise<EngineBed>;
  dispose(): Promise<void>;
}

/** Makes a case of the engine suite. */
export type EngineCase = (name: string, behaviour: string, test: (probe: Probe) => Promise<void>) => ContractCase;
/** True if the engine has a capability. */
export type Can = (capability: string) => boolean;
