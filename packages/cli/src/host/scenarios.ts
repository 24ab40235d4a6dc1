import { readFile } from "node:fs/promises";
import type { loadScenarios } from "@computeragent/model-broker/scenarios";
import { CliError, EXIT } from "../exit-codes.ts";

/** Scenarios of the offline model. */
export type Scenarios = ReturnType<typeof loadScenarios>;

/** Reads scenario files with the model broker's own reader, or says in plain words which file is at fault. */
export async function readScenarios(files: readonly string[]): Promise<Scenarios> {
  if (files.length === 0) return [];
  const { loadScenarios: load } = await import("@computeragent/model-broker/scenarios");
  const lists = await Promise.all(
    files.map(async (file) => {
      try {
        return load(await readFile(file, "utf8"), file);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new CliError(`cannot use the scenarios in ${file}: ${why}`, EXIT.failed, error);
      }
    }),
  );
  return lists.flat();
}
