export { type CallOptions, type ClientOptions, createClient, type HarnessClient } from "./client.ts";
export { HarnessClientError } from "./errors.ts";
export { type FollowOptions, followSession, readStream, type StreamItem } from "./follow.ts";
