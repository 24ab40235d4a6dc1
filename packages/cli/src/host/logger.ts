import { createRequire } from "node:module";
import type { Logger } from "@computeragent/harness-server";
import { CliError, EXIT } from "../exit-codes.ts";

const LEVELS: readonly string[] = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

/**
 * A pino logger on stderr; the level comes from `COMPUTERAGENT_LOG` or is what the command asks for. Most hosts never say
 * anything, so pino is loaded with the first line. Throws `CliError` for a level that there is not.
 */
export function createLogger(env: Readonly<Record<string, string | undefined>>, level: string): Logger {
  const least = env.COMPUTERAGENT_LOG || level;
  if (!LEVELS.includes(least)) {
    throw new CliError(`COMPUTERAGENT_LOG is ${JSON.stringify(least)}: use ${LEVELS.join(", ")}`, EXIT.usage);
  }
  let made: Logger | undefined;
  const method =
    (name: keyof Logger): Logger[typeof name] =>
    (fields, message) => {
      if (LEVELS.indexOf(name) < LEVELS.indexOf(least)) return;
      made ??= pinoAt(least);
      made[name](fields, message);
    };
  return { debug: method("debug"), info: method("info"), warn: method("warn"), error: method("error") };
}

/** Loaded at once: a line that is told right before the end must not wait. */
function pinoAt(level: string): Logger {
  const { pino } = createRequire(import.meta.url)("pino") as typeof import("pino");
  return pino({ level, base: null }, pino.destination({ dest: 2, sync: true }));
}
