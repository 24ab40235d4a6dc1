import type { HostLimits } from "@computeragent/harness-server";
import { CliError, EXIT } from "../exit-codes.ts";

/**
 * Reads `NAME=VALUE` flags, names and units (bytes, milliseconds, counts) as in health; the last of a name counts.
 * Throws a usage error for a name that no host has and for a value that is no whole number above 0.
 */
export function limitsFrom(flags: readonly string[], known: HostLimits): Partial<HostLimits> {
  const limits: Record<string, number> = {};
  for (const flag of flags) {
    const [, name = "", digits = ""] = /^(\w+)=(\d{1,15})$/.exec(flag) ?? [];
    if (!Object.hasOwn(known, name)) {
      const names = Object.keys(known).join(", ");
      throw new CliError(`--limit ${flag}: give NAME=VALUE with one of these names: ${names}`, EXIT.usage);
    }
    if (Number(digits) < 1) throw new CliError(`--limit ${flag}: give a whole number above 0`, EXIT.usage);
    limits[name] = Number(digits);
  }
  return limits;
}
