import { closeSync, openSync } from "node:fs";
import Database from "better-sqlite3";

/** Of the tables below. A file with a higher one was written by a later version. */
const VERSION = 1;

const SCHEMA = `
  CREATE TABLE journal_stream (
    no INTEGER PRIMARY KEY,
    fence INTEGER NOT NULL,
    next INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE journal_block (
    stream_no INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    count INTEGER NOT NULL,
    events TEXT NOT NULL,
    PRIMARY KEY (stream_no, seq)
  ) STRICT, WITHOUT ROWID;`;

/**
 * Opens the one connection of a process that writes, and makes the tables where they are missing. The file is for its owner
 * alone. Throws SQLite's error, or an ordinary one for a file of a later version.
 */
export function openWriter(path: string, busyTimeoutMs: number): Database.Database {
  // The files beside it, with what is not in it yet, get its mode.
  closeSync(openSync(path, "a", 0o600));
  const db = new Database(path, { timeout: busyTimeoutMs });
  try {
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL");
    db.transaction(() => migrate(db)).immediate();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Other tables may live in the file, so its version is kept in a table of our own. */
function migrate(db: Database.Database): void {
  db.exec("CREATE TABLE IF NOT EXISTS journal_version (version INTEGER NOT NULL) STRICT");
  const found = db.prepare("SELECT max(version) FROM journal_version").pluck().get();
  if (typeof found === "number" && found > VERSION) {
    throw new Error(`the file has version ${found} of the journal, and this program knows ${VERSION}: use a newer one`);
  }
  if (found !== null) return;
  db.exec(SCHEMA);
  db.prepare("INSERT INTO journal_version VALUES (?)").run(VERSION);
}
