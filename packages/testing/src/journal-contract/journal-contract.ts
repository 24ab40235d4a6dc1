import type { EventJournal } from "@computeragent/protocol";
import { type ContractCase, suite } from "../contract/contract-case.ts";
import { appendCases } from "./append.ts";
import { fenceCases } from "./fence.ts";
import type { JournalExtras } from "./journal-case.ts";
import { lifeCases, storageCases } from "./life.ts";
import { modelCases } from "./model.ts";
import { readCases, trimCases } from "./read.ts";
import { watchCases } from "./watch.ts";

const KEEP = 20;
const close = (journal: EventJournal) => journal.close();

/** What every `EventJournal` must do. `make` gives an empty journal per case; the suite closes it. */
export function journalContract(
  make: () => EventJournal | Promise<EventJournal>,
  extras: JournalExtras = {},
): readonly ContractCase[] {
  const on = suite("journal", make, close);
  const trimming = suite("journal", () => (extras.trimming ?? make)(KEEP), close);
  return [
    ...appendCases(on),
    ...readCases(on),
    ...trimCases(trimming, KEEP, extras),
    ...fenceCases(on),
    ...watchCases(on),
    ...lifeCases(on),
    ...storageCases(on, extras),
    ...modelCases(on),
  ];
}
