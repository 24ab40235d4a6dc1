/** What a program needs to check its flags with, without loading the server. */
export { isLoopback } from "./http/loopback.ts";
export { DEFAULT_LIMITS, type HostLimits } from "./limits.ts";
