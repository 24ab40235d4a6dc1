import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { WireError } from "@computeragent/protocol";
import { describe, expect, it } from "vitest";
import { testFolders } from "./fixtures/folders.ts";
import { loadInto } from "./fixtures/load.ts";

const examples = fileURLToPath(new URL("../../../../shared/gap/examples", import.meta.url));
const present = existsSync(examples);
const NAMES = [
  "financial-agent",
  "full",
  "full/agents/fact-checker",
  "gitagent-helper",
  "jason-my-claw-is-the-law-deebee-4567b4",
  "llm-wiki",
  "lyzr-agent",
  "minimal",
  "nvidia-deep-researcher",
  "nvidia-deep-researcher/agents/planner",
  "nvidia-deep-researcher/agents/researcher",
  "standard",
];

/** What a load tells, or the problems it fails with. */
async function outcomeOf(name: string): Promise<string> {
  await using folders = await testFolders();
  const source = { type: "local", path: join(examples, name) } as const;
  try {
    const { profile, ...told } = await loadInto(folders, source, { targetEngine: "claude-agent-sdk" });
    return `${JSON.stringify({ ...told, skills: profile.skills?.names ?? [] }, null, 2)}\n\n${profile.instructions}\n`;
  } catch (error) {
    if (!WireError.isInstance(error)) throw error;
    return `${JSON.stringify({ code: error.code, errors: error.errors }, null, 2)}\n`;
  }
}

describe.skipIf(!present)(`published examples${present ? "" : " (skipped: ../shared/gap is absent)"}`, () => {
  it.each(NAMES)("give the recorded load: %s", async (name) => {
    await expect(await outcomeOf(name)).toMatchFileSnapshot(`golden/examples/${name.replaceAll("/", "-")}.txt`);
  });
});
