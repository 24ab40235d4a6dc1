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

/** Waiting for the signal to stop. Dispose it when the work is over. */
export interface StopSignal extends Disposable {
  /** Resolves at the first SIGTERM, SIGINT or SIGHUP with the exit code. */
  readonly received: Promise<ExitCode>;
}

/** Listens for stop signals. A second Ctrl-C ends the process at once; other signals may come as often as they like. */
export function stopSignal(): StopSignal {
  const { promise, resolve } = Promise.withResolvers<ExitCode>();
  let asked = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (asked && signal === "SIGINT") process.exit(EXIT.interrupted);
    asked = true;
    resolve(signal === "SIGINT" ? EXIT.interrupted : EXIT.success);
  };
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, onSignal);
  return {
    received: promise,
    [Symbol.dispose]: () => {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
