export type { Classification } from "./classification.ts";
export { type Call, classify } from "./classify.ts";
export { type Decision, decide, type Question } from "./decide.ts";
export { strictestAccess, strictestHitl, strictestMode } from "./strictest.ts";
