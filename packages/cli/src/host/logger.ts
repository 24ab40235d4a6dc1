import type { Logger } from "@computeragent/harness-server";

/** A pino logger on stderr; the level comes from `COMPUTERAGENT_LOG` or is what the command asks for. */
export async function createLogger(env: Readonly<Record<string, string | undefined>>, level: string): Promise<Logger> {
  const { pino } = await import("pino");
  const logger: Logger = pino(
    { level: env.COMPUTERAGENT_LOG || level, base: null },
    pino.destination({ dest: 2, sync: true }),
  );
  return logger;
}
