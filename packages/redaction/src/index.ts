export { createMasker, type Finding, type Masker, type MaskerOptions } from "./masker.ts";
export type { StreamMasker } from "./stream.ts";
