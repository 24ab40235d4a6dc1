import type { Conversation, ConversationEvent } from "../conversation.ts";
import type { Plan } from "./act.ts";
import { advance, finishedText, type Pending, pending, textBlocks } from "./advance.ts";
import type { Compile, Program } from "./program.ts";
import { begin, loadState, type ScriptState, saveState, stepsOf } from "./state.ts";

interface Fold {
  readonly state: ScriptState | null;
  /** Text blocks answered since the last tool step was done. */
  readonly answered: number;
  /** The last user message has no answer yet: another one that follows belongs to the same turn. */
  readonly open: boolean;
}

/** Reads a conversation from its start and knows where its script stands. Keeps nothing between requests. */
export class Replay {
  readonly #conversation: Conversation;
  readonly #compile: Compile;
  readonly #fold: Fold;

  constructor(conversation: Conversation, compile: Compile) {
    this.#conversation = conversation;
    const programs = new Map<string, Program>();
    this.#compile = (text) => {
      const program = programs.get(text) ?? compile(text);
      programs.set(text, program);
      return program;
    };
    this.#fold = conversation.events.reduce<Fold>((fold, event) => this.#step(fold, event), {
      state: null,
      answered: 0,
      open: false,
    });
  }

  /** The next answer. */
  plan(): Plan {
    const { state } = this.#fold;
    const first = state?.texts[0];
    const model = `offline-${first === undefined ? "directives" : this.#compile(first).scenario}`;
    if (!state) return { model, acts: [{ kind: "text", text: "The offline model has no script to run here." }] };
    const next = this.#pending(this.#fold);
    if (!next) return { model, acts: [{ kind: "text", text: finishedText(state.ran) }] };
    return { model, acts: next.acts };
  }

  /** The rest of the script in a form that `loadState` reads back; empty when nothing is left. */
  save(): string {
    const { state } = this.#fold;
    return state && this.#pending(this.#fold) ? saveState(state) : "";
  }

  /** What comes next; `null` when the script's last answer was given. */
  #pending(fold: Fold): Pending | null {
    if (!fold.state) return null;
    const next = pending(fold.state, stepsOf(fold.state, this.#compile), this.#conversation);
    const given = next.final && !next.fails && fold.answered >= textBlocks(next.acts);
    return given ? null : next;
  }

  #step(fold: Fold, event: ConversationEvent): Fold {
    switch (event.type) {
      case "user": {
        const joins = fold.open && fold.state !== null && this.#pending(fold)?.fails !== true;
        return { state: joins ? this.#append(fold, event.text) : begin(event.text), answered: 0, open: true };
      }
      case "steer":
        return this.#pending(fold)
          ? { ...fold, state: this.#append(fold, event.text) }
          : { state: begin(event.text), answered: 0, open: false };
      case "interrupted":
        return { state: null, answered: 0, open: false };
      case "recovery":
        return { ...fold, open: true };
      case "summary":
        return { state: loadState(event.text), answered: 0, open: false };
      case "assistant":
        return { ...fold, answered: fold.answered + event.texts, open: false };
      case "result": {
        const { state } = fold;
        if (!state || event.outcome.interrupted) return { ...fold, open: false };
        const steps = stepsOf(state, this.#compile);
        return { state: advance(state, steps, event.outcome, this.#conversation), answered: 0, open: false };
      }
    }
  }

  #append(fold: Fold, text: string): ScriptState {
    return fold.state ? { ...fold.state, texts: [...fold.state.texts, text] } : begin(text);
  }
}
