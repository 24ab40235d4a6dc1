export type { ContractCase } from "./contract/contract-case.ts";
export { eventually, within } from "./contract/within.ts";
export { type BedOptions, type EngineBed, openEngineBed, type TurnEnd } from "./engine-contract/engine-bed.ts";
export type { EngineFixture } from "./engine-contract/engine-case.ts";
export { engineContract } from "./engine-contract/engine-contract.ts";
export { InputQueue } from "./engine-contract/input-queue.ts";
export type { FrameClient, FrameSinkFixture, MakeFrameSink } from "./frame-sink-contract/fixture.ts";
export { frameSinkContract } from "./frame-sink-contract/frame-sink-contract.ts";
export { nodeSinkFixture } from "./frame-sink-contract/node-fixture.ts";
export { webSinkFixture } from "./frame-sink-contract/web-fixture.ts";
export {
  type IdentityLoaderFixture,
  identityLoaderContract,
} from "./identity-loader-contract/identity-loader-contract.ts";
export type { JournalExtras } from "./journal-contract/journal-case.ts";
export { journalContract } from "./journal-contract/journal-contract.ts";
export { createMockEngine } from "./mock-engine/create-mock-engine.ts";
export { HISTORY_FILE } from "./mock-engine/history.ts";
export { MISBEHAVIOURS, type Misbehaviour, type MockEngineOptions, MockSessionOptions } from "./mock-engine/options.ts";
export { createMockLoader } from "./mock-loader/create-mock-loader.ts";
export type { MockLoaderOptions } from "./mock-loader/options.ts";
export type { RawResponse } from "./sse/chunked.ts";
export { collectUntil, outline, waitForEvent } from "./sse/collect.ts";
export { jsonOf, type SseFrame, SseViolation } from "./sse/frame.ts";
export type { FrameChecks } from "./sse/frame-parser.ts";
export { followResponse, type OpenStream, openStream } from "./sse/open-stream.ts";
export { openRawReader, type RawReader, type RawReaderOptions } from "./sse/raw-reader.ts";
export { type ReadOptions, readEvents } from "./sse/read-events.ts";
