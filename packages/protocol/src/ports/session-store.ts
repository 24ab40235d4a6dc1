/** Key of a transcript. `subpath` separates the transcripts of sub-agents. */
export interface SessionKey {
  readonly projectKey: string;
  readonly sessionId: string;
  readonly subpath?: string;
}

/** One line of a transcript: an object with a string `type`. */
export type SessionStoreEntry = { type: string; uuid?: string; timestamp?: string; [key: string]: unknown };

/** The Claude Agent SDK's store interface (0.3.332), restated so that this package does not depend on the SDK. */
export interface SessionStore {
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void>;
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>;
  listSessions?(projectKey: string): Promise<Array<{ sessionId: string; mtime: number }>>;
  delete?(key: SessionKey): Promise<void>;
  listSubkeys?(key: { projectKey: string; sessionId: string }): Promise<string[]>;
}
