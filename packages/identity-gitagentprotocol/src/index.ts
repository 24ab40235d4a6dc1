export type { CacheLimits } from "./cache/eviction.ts";
export { createGapLoader } from "./gap-loader.ts";
export { createGitCheckout } from "./git/checkout.ts";
export type { GapLoaderOptions, GitCheckoutOptions, LocalSources, SourceLimits } from "./options.ts";
export type { Finding, Validation } from "./validate/finding.ts";
export type { ValidateOptions } from "./validate/options.ts";
export type { Profile, Severity } from "./validate/severity.ts";
export { validateAgent } from "./validate/validate-agent.ts";
export { type SourceValidation, type ValidateSourceOptions, validateSource } from "./validate/validate-source.ts";
