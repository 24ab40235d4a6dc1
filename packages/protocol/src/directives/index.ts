export { DIRECTIVE_LIMITS, parseDirectives } from "./parse.ts";
export type { DirectiveStep } from "./step.ts";
