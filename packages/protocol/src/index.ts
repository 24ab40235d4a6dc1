export * from "./errors.ts";
export * from "./events/control.ts";
export * from "./events/life.ts";
export * from "./events/permission.ts";
export type { ControlFrame, EventData, EventType, HarnessEvent } from "./events/union.ts";
export { CONTROL_SCHEMAS, EVENT_SCHEMAS, parseEvent, WATCH_SCHEMAS } from "./events/union.ts";
export type { IdPrefix } from "./ids.ts";
export { newId, SESSION_ID_PATTERN, uuidv7 } from "./ids.ts";
export type { JsonObject, JsonValue } from "./json.ts";
export { isShallow, JsonObjectSchema, MAX_JSON_DEPTH, whole } from "./json.ts";
export type * from "./ports/auth.ts";
export type {
  Authorization,
  EngineContext,
  EngineDriver,
  EngineEvent,
  EngineInput,
  EngineSession,
  EngineState,
  PartialText,
  ToolCall,
} from "./ports/engine.ts";
export { EngineFailure } from "./ports/engine.ts";
export type { FrameSink } from "./ports/frame-sink.ts";
export type {
  EngineProfile,
  GitCheckout,
  Governance,
  IdentityLoader,
  LoadRequest,
  LoadResult,
} from "./ports/identity.ts";
export type { EventJournal, Fence, NewEvent, StoredEvent, StreamHead } from "./ports/journal.ts";
export { FencedError } from "./ports/journal.ts";
export type { ModelAccess, ModelCallUsage, ModelGrant, ModelRequest, UsageListener } from "./ports/model-access.ts";
export type { SessionKey, SessionStore, SessionStoreEntry } from "./ports/session-store.ts";
export type { BootedHost, Substrate } from "./ports/substrate.ts";
export type { RouteName, RouteSpec } from "./routes.ts";
export { ROUTES } from "./routes.ts";
export { PROTOCOL_VERSION } from "./version.ts";
export * from "./wire/create.ts";
export * from "./wire/drive.ts";
export * from "./wire/fs.ts";
export * from "./wire/health.ts";
export * from "./wire/identity.ts";
export * from "./wire/message.ts";
export * from "./wire/query.ts";
export * from "./wire/vocabulary.ts";
