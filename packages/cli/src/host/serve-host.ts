import type { HarnessServer, Listener } from "@computeragent/harness-server";
import { CliError, EXIT, type ExitCode } from "../exit-codes.ts";

/** Listens, or says in plain words why it cannot. */
export async function listenOrExplain(server: HarnessServer, host: string, port: number): Promise<Listener> {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EADDRINUSE") {
      throw new CliError(
        `port ${port} is in use by another program; choose another one with --port, for example --port ${port + 1}`,
        EXIT.failed,
        error,
      );
    }
    if (code === "EACCES")
      throw new CliError(`port ${port} may not be used by you; choose one above 1023 with --port`, EXIT.failed, error);
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new CliError(
        `${host} is not an address of this machine; choose another one with --host`,
        EXIT.failed,
        error,
      );
    }
    throw error;
  }
}

/** Resolves at SIGTERM, SIGINT or SIGHUP; a second signal ends the process at once. */
export function untilStopped(): Promise<ExitCode> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = (signal: NodeJS.Signals): void => {
      if (asked) process.exit(EXIT.interrupted);
      asked = true;
      resolve(signal === "SIGINT" ? EXIT.interrupted : EXIT.success);
    };
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);
  });
}
