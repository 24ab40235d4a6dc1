import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { CliError, EXIT } from "../exit-codes.ts";
import { packageRoot } from "../package-root.ts";

/** What the sample agent is asked. */
export const DEMO_MESSAGE =
  "Review this project for inconsistencies between its documents and its files, and write what you find to REVIEW.md.";

/** The sample files of the repository. */
export interface Examples {
  readonly agent: string;
  readonly workspace: string;
  readonly scenario: string;
}

/** Finds `examples/` in the checkout that this program was built from. */
export function requireExamples(): Examples {
  const root = join(packageRoot(), "..", "..", "examples");
  const examples = {
    agent: join(root, "agents", "consistency-reviewer"),
    workspace: join(root, "workspaces", "parcel-tracker"),
    scenario: join(root, "scenarios", "consistency-review.yaml"),
  };
  for (const path of Object.values(examples)) {
    if (!existsSync(path))
      throw new CliError("the sample agent is part of the source checkout; it is not here", EXIT.failed);
  }
  return examples;
}

/** A fresh copy of the sample workspace; it stays, so that its review can be read. */
export async function makeDemoWorkspace(home: string, sample: string): Promise<string> {
  await mkdir(join(home, "demo"), { recursive: true, mode: 0o700 });
  const dir = await mkdtemp(join(home, "demo", "parcel-tracker-"));
  await cp(sample, dir, { recursive: true });
  return dir;
}
