/** No tier works here, or not the one that was asked for. */
export class ContainmentUnavailableError extends Error {
  override readonly name = "ContainmentUnavailableError";
}

/** A request that cannot be carried out as it is written. */
export class InvalidSpawnError extends Error {
  override readonly name = "InvalidSpawnError";
}

/** The supervisor is disposed (or being disposed) and starts nothing more. */
export class SupervisorClosedError extends Error {
  override readonly name = "SupervisorClosedError";
  constructor() {
    super("the supervisor is closed");
  }
}

/** Processes that did not die of SIGKILL in time (they hang in the kernel, or belong to another user). */
export class SurvivorsError extends Error {
  override readonly name = "SurvivorsError";
  readonly pids: readonly number[];
  constructor(pids: readonly number[]) {
    super(`processes are still alive after SIGKILL: ${pids.join(", ")}`);
    this.pids = pids;
  }
}
