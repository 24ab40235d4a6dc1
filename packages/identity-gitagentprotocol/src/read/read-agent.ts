import type { NoticeData } from "@computeragent/protocol";
import type { GapAgent } from "../model/gap-agent.ts";
import { identityInvalid } from "../model/issues.ts";
import { readDocuments } from "./documents.ts";
import { IdentityFolder } from "./identity-folder.ts";
import { readKnowledge } from "./knowledge.ts";
import { readManifest } from "./manifest.ts";
import { findOtherParts } from "./other-parts.ts";
import { checkReferences } from "./references.ts";
import { newReport } from "./report.ts";
import { readSkills } from "./skills.ts";

/** An agent and what was found in its folder that will have no effect. */
export interface AgentReading {
  readonly agent: GapAgent;
  readonly notices: readonly NoticeData[];
}

/** Reads and checks a materialised identity. Rejects with `WireError` IDENTITY_INVALID that lists every problem. */
export async function readAgent(dir: string): Promise<AgentReading> {
  const folder = await IdentityFolder.open(dir);
  const report = newReport();
  const reading = await readManifest(folder, report);
  const documents = await readDocuments(folder, report);
  const skills = reading ? await readSkills(folder, reading, report) : [];
  if (reading) await checkReferences(folder, reading, report);
  if (!reading || !documents || report.issues.length > 0) throw identityInvalid(report.issues);
  const { manifest, hitl, budgetUsd } = reading;
  const agent: GapAgent = {
    manifest,
    documents,
    knowledge: await readKnowledge(folder, report),
    skills,
    otherParts: await findOtherParts(folder),
    ...(hitl === undefined ? {} : { hitl }),
    ...(budgetUsd === undefined ? {} : { budgetUsd }),
  };
  return { agent, notices: report.notices.all() };
}
