import { join } from "node:path";
import { WireError } from "@computeragent/protocol";
import { describe, expect, it } from "vitest";
import { testFolders } from "./fixtures/folders.ts";
import { loadInto } from "./fixtures/load.ts";
import { EXAMPLES, NAMES, present, skipped } from "./fixtures/published-examples.ts";

/** What a load tells, or the problems it fails with. */
async function outcomeOf(name: string): Promise<string> {
  await using folders = await testFolders();
  const source = { type: "local", path: join(EXAMPLES, name) } as const;
  try {
    const { profile, ...told } = await loadInto(folders, source, { targetEngine: "claude-agent-sdk" });
    return `${JSON.stringify({ ...told, skills: profile.skills?.names ?? [] }, null, 2)}\n\n${profile.instructions}\n`;
  } catch (error) {
    if (!WireError.isInstance(error)) throw error;
    return `${JSON.stringify({ code: error.code, errors: error.errors }, null, 2)}\n`;
  }
}

describe.skipIf(!present)(`published examples${skipped}`, () => {
  it.each(NAMES)("give the recorded load: %s", async (name) => {
    await expect(await outcomeOf(name)).toMatchFileSnapshot(`golden/examples/${name.replaceAll("/", "-")}.txt`);
  });
});
