export { bearerToken } from "./auth/bearer-token.ts";
export type { HarnessServerConfig } from "./config.ts";
export { isLoopback, type Listener, type ListenOptions } from "./http/listen.ts";
export { createMemoryJournal, type MemoryJournalOptions } from "./journal/memory.ts";
export { DEFAULT_LIMITS, type HostLimits } from "./limits.ts";
export type { Logger } from "./logger.ts";
export { createHarnessServer, type HarnessServer } from "./server.ts";
