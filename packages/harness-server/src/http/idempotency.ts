import { createHash } from "node:crypto";
import { WireError } from "@computeragent/protocol";
import type { JsonAnswer } from "./answer.ts";

interface Entry {
  readonly hash: string;
  readonly at: number;
  answer: JsonAnswer | undefined;
}

/** How long and how many answers are remembered. */
const KEEP_MS = 24 * 3_600_000;
const KEEP_ENTRIES = 10_000;

/** Answers by `Idempotency-Key`: the same request again gets the same answer, another one a conflict. */
export class Idempotency {
  readonly #entries = new Map<string, Entry>();

  /** Runs `work` once per scope and key. A failed run is forgotten, so that it can be tried again. */
  async run(
    request: { readonly scope: readonly string[]; readonly key: string; readonly body: Uint8Array },
    work: () => Promise<JsonAnswer>,
  ): Promise<JsonAnswer> {
    if (request.key.length < 1 || request.key.length > 256) {
      throw new WireError("VALIDATION", "Idempotency-Key must have 1 to 256 characters");
    }
    const id = JSON.stringify([...request.scope, request.key]);
    const hash = createHash("sha256").update(request.body).digest("hex");
    const known = this.#entries.get(id);
    if (known && Date.now() - known.at < KEEP_MS) {
      if (known.hash !== hash) throw new WireError("IDEMPOTENCY_CONFLICT", "this key was used with another body");
      if (!known.answer) {
        throw new WireError("IDEMPOTENCY_IN_PROGRESS", "the first request with this key is still running");
      }
      return known.answer;
    }
    const entry: Entry = { hash, at: Date.now(), answer: undefined };
    this.#entries.set(id, entry);
    this.#shrink();
    try {
      entry.answer = await work();
      return entry.answer;
    } catch (error) {
      this.#entries.delete(id);
      throw error;
    }
  }

  #shrink(): void {
    for (const [id, entry] of this.#entries) {
      if (this.#entries.size <= KEEP_ENTRIES) return;
      if (entry.answer) this.#entries.delete(id);
    }
  }
}
