import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "../contract/within.ts";
import type { EngineBed } from "./engine-bed.ts";

const FILE = "beat.txt";
const START_MS = 60_000;
const SILENCE_MS = 700;

/** A directive whose command writes to a file for as long as it lives. */
export const HEARTBEAT = `!bash while true; do echo beat >> ${FILE}; sleep 0.1; done`;

const size = (bed: EngineBed): Promise<number> =>
  stat(join(bed.context.workspace, FILE)).then(
    (s) => s.size,
    () => 0,
  );

/** Resolves when the command runs. */
export function beats(bed: EngineBed): Promise<void> {
  return eventually(START_MS, "the command to run", async () => (await size(bed)) > 0);
}

/** Rejects if the command still lives. Says nothing about process ids: the engine may have a namespace of its own. */
export async function isSilent(bed: EngineBed): Promise<void> {
  const before = await size(bed);
  await new Promise((resolve) => setTimeout(resolve, SILENCE_MS));
  assert.equal(await size(bed), before, "the command is still running");
}
