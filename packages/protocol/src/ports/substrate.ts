/** A booted harness host. */
export interface BootedHost {
  readonly id: string;
  readonly baseUrl: string;
  readonly token: string;
  /** Resolves when the host answers, rejects when it died first. */
  readonly ready: Promise<void>;
}

/** Where a harness host runs (`local`, `sandbox`, `e2b`, …). */
export interface Substrate {
  readonly name: string;
  bootHarness(request: {
    readonly engine: string;
    readonly envs: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  }): Promise<BootedHost>;
  portForward(id: string, port: number): Promise<{ readonly url: string; close(): Promise<void> }>;
  health(id: string): Promise<"healthy" | "unhealthy" | "unknown">;
  shutdown(id: string): Promise<void>;
}
