export { createSupervisor } from "./create-supervisor.ts";
export { allowListedEnv } from "./env.ts";
export { ContainmentUnavailableError, InvalidSpawnError, SupervisorClosedError, SurvivorsError } from "./errors.ts";
export { createLineSplitter, type Line, type LineSplitter } from "./lines.ts";
export { OWNER_VARIABLE } from "./markers.ts";
export { createNdjsonReader, type NdjsonItem, type NdjsonReader } from "./ndjson.ts";
export { findOwned, type OwnedProcess, type OwnerFilter, sweepOwner } from "./owned.ts";
export { identify, isAlive, type ProcessIdentity } from "./process-identity.ts";
export { type RunOptions, type RunResult, run } from "./run.ts";
export type {
  ChildExit,
  ChildInfo,
  ContainmentTier,
  ErrorListener,
  ExitListener,
  SpawnRequest,
  StopOptions,
  SupervisedChild,
  Supervisor,
  SupervisorOptions,
  TierProbe,
} from "./types.ts";
