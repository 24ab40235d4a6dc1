import type { EventJournal } from "@computeragent/protocol";
import type { ContractCase } from "../contract/contract-case.ts";

/** Makes a case of the journal suite. */
export type JournalCase = (
  name: string,
  behaviour: string,
  test: (journal: EventJournal) => Promise<void>,
) => ContractCase;

/** What an adapter can offer beyond a fresh journal; the cases that need it are part of the suite only then. */
export interface JournalExtras {
  /** A journal that keeps about `events` events a stream and drops the older ones. */
  readonly trimming?: (events: number) => EventJournal | Promise<EventJournal>;
  /** Makes the storage refuse the next commit of this journal. */
  readonly failNextCommit?: (journal: EventJournal) => void | Promise<void>;
  /** Closes a journal and opens its storage again (durable adapters). */
  readonly reopen?: (journal: EventJournal) => Promise<EventJournal>;
}
