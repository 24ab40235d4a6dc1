export { createSqliteJournal, type SqliteJournalOptions } from "./create-sqlite-journal.ts";
