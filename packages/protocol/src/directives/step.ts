import type { JsonObject } from "../json.ts";
import type { Risk } from "../wire/vocabulary.ts";

/** One step of a directive script: what the offline model (or MockEngine) does next. Times in milliseconds, sizes in bytes. */
export type DirectiveStep =
  | { kind: "say"; text: string }
  | { kind: "think"; text: string }
  | { kind: "bash"; command: string }
  | { kind: "read"; path: string }
  | { kind: "write"; path: string; text: string }
  | { kind: "edit"; path: string; oldText: string; newText: string }
  | { kind: "tool"; name: string; input: JsonObject }
  /** Asks for permission; MockEngine only. */
  | { kind: "ask"; name: string; input: JsonObject; risk?: Risk }
  | { kind: "stream"; count: number; bytes: number; delayMs: number }
  | { kind: "sleep"; ms: number }
  | { kind: "error"; status: number }
  | { kind: "usage"; input: number; output: number }
  /** An unknown or malformed line; `message` names it and is fit for people. */
  | { kind: "invalid"; line: string; message: string };
