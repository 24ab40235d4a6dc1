export { createGapLoader } from "./gap-loader.ts";
export { createGitCheckout } from "./git/checkout.ts";
export type { GapLoaderOptions, GitCheckoutOptions, LocalSources, SourceLimits } from "./options.ts";
