/**
 * Writes what the recorded events come to, for review before a commit; the tests compare against these files.
 *   node --conditions=@computeragent/source packages/events/record/derive.mjs
 */
import { readdir, writeFile } from "node:fs/promises";
import { GOLDEN, readGolden, runGolden } from "../src/golden.test-support.ts";

for (const name of await readdir(GOLDEN)) {
  const golden = await readGolden(name);
  const { normalized, conversation } = runGolden(golden);
  const dir = new URL(`${name}/`, GOLDEN);
  await writeFile(new URL("normalized.jsonl", dir), normalized.map((event) => `${JSON.stringify(event)}\n`).join(""));
  await writeFile(new URL("conversation.json", dir), `${JSON.stringify(conversation, null, 2)}\n`);
  process.stdout.write(`${name}: ${normalized.length} normalised events, ${conversation.items.length} items\n`);
}
