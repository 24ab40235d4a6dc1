export { bearerToken } from "./auth/bearer-token.ts";
export type { HarnessServerConfig } from "./config.ts";
export type { Listener, ListenOptions } from "./http/listen.ts";
export { createMemoryJournal, type MemoryJournalOptions } from "./journal/memory.ts";
export type { HostLimits } from "./limits.ts";
export type { Logger } from "./logger.ts";
export { createHarnessServer, type HarnessServer } from "./server.ts";
export { sweepWorkspaces } from "./services/workspace-files.ts";
