import type { JsonObject } from "@computeragent/protocol";

/** One thing that an answer does, in order. Times in milliseconds, sizes in bytes. */
export type Act =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "think"; readonly text: string }
  | { readonly kind: "stream"; readonly count: number; readonly bytes: number; readonly delayMs: number }
  | { readonly kind: "sleep"; readonly ms: number }
  | { readonly kind: "usage"; readonly input: number; readonly output: number }
  | { readonly kind: "error"; readonly status: number }
  | { readonly kind: "tool"; readonly name: string; readonly input: JsonObject };

/** A tool call by what it is for; `tool` names the tool itself. */
export type Call =
  | { readonly kind: "bash"; readonly command: string }
  | { readonly kind: "read"; readonly path: string }
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  | { readonly kind: "edit"; readonly path: string; readonly oldText: string; readonly newText: string }
  | { readonly kind: "tool"; readonly name: string; readonly input: JsonObject };

/** What an answer of the offline model is made of. */
export interface Plan {
  /** Name of the answering model: `offline-<scenario>`. */
  readonly model: string;
  readonly acts: readonly Act[];
}
