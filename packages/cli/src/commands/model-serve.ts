import { CliError, EXIT, type ExitCode } from "../exit-codes.ts";
import { readScenarios } from "../host/scenarios.ts";
import { stopSignal } from "../host/serve-host.ts";

/** Serves the offline model alone, for any engine that speaks one of its protocols. */
export async function modelServeCommand(flags: {
  readonly port: number;
  readonly scenario: readonly string[];
}): Promise<ExitCode> {
  const { createOfflineServer } = await import("@computeragent/model-broker");
  const scenarios = await readScenarios(flags.scenario);
  using stop = stopSignal();
  try {
    await using server = await createOfflineServer({ port: flags.port, scenarios });
    process.stdout.write(`offline model on ${server.url} (Anthropic Messages; any key is accepted)\n`);
    return await stop.received;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") {
      throw new CliError(`port ${flags.port} is in use; choose another one with --port`, EXIT.failed, error);
    }
    throw error;
  }
}
