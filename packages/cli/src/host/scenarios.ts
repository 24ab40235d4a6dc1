import { readFile } from "node:fs/promises";
import { CliError, EXIT } from "../exit-codes.ts";

/** Reads scenario files with the model broker's own reader, or says in plain words which file is at fault. */
export async function readScenarios<T>(
  files: readonly string[],
  load: (text: string, file: string) => T[],
): Promise<T[]> {
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
