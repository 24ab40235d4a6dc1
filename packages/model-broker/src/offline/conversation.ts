import type { JsonObject } from "@computeragent/protocol";

/** What came back from a tool call. */
export interface ToolOutcome {
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
  /** The engine was gone before the result was known: the call does not count as done. */
  readonly interrupted: boolean;
}

/** What happened in a conversation, in order, as far as the offline model needs it. No protocol shows through. */
export type ConversationEvent =
  /** A message of the user that opens a turn. */
  | { readonly type: "user"; readonly text: string }
  /** A message of the user that was folded into a running turn. */
  | { readonly type: "steer"; readonly text: string }
  /** The user stopped the turn. */
  | { readonly type: "interrupted" }
  /** The host's message after a restart. */
  | { readonly type: "recovery" }
  /** An older part of the conversation was replaced by this summary, which the offline model wrote itself. */
  | { readonly type: "summary"; readonly text: string }
  /** An answer of the model with so many text blocks. */
  | { readonly type: "assistant"; readonly texts: number }
  | { readonly type: "result"; readonly outcome: ToolOutcome };

/** A tool that the engine offers, with the JSON Schema of its input. */
export interface OfferedTool {
  readonly name: string;
  readonly schema: JsonObject;
}

/** A model request, reduced to what a script may depend on. */
export interface Conversation {
  readonly events: readonly ConversationEvent[];
  readonly tools: readonly OfferedTool[];
  /** The working directory that the engine states. */
  readonly cwd?: string;
  /** The system prompt. */
  readonly system: string;
}
