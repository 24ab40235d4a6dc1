import type { EngineInput, TurnEndedData, Usage } from "@computeragent/protocol";
import { type DirectiveStep, parseDirectives } from "@computeragent/protocol/directives";
import { type MockHistory, RECOVERY_MARK } from "./history.ts";
import { textOfInput } from "./message-text.ts";
import { Meter } from "./meter.ts";
import { isModelStep, runStep } from "./steps/step.ts";
import { TOOL_NAMES } from "./tools/tools.ts";
import type { SessionScope, TurnScope } from "./turn-scope.ts";

const SHOWN_CHARS = 200;
const INTERRUPTED = "[Request interrupted by user]";

/** The steps of a text: its directives, or a short answer that says what came. */
function scriptOf(text: string): readonly DirectiveStep[] {
  const shown = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  return parseDirectives(text) ?? [{ kind: "say", text: `mock engine received: ${shown}` }];
}

/** One running turn. */
export class Turn {
  readonly id: string;
  readonly #abort = new AbortController();
  readonly #steps: DirectiveStep[] = [];
  readonly #history: MockHistory;
  readonly #scope: TurnScope;
  readonly #price: ((usage: Usage) => number) | undefined;
  #end: Pick<TurnEndedData, "reason" | "error"> | null = null;
  #stepsDone = 0;
  #open = true;

  constructor(id: string, session: SessionScope, history: MockHistory, price?: (usage: Usage) => number) {
    this.id = id;
    this.#history = history;
    this.#price = price;
    this.#scope = {
      ...session,
      signal: this.#abort.signal,
      meter: new Meter(),
      said: [],
      denials: [],
      stop: (reason, error) => {
        this.#end ??= { reason, ...(error ? { error } : {}) };
      },
    };
  }

  /** Ends the turn as interrupted, at once. */
  interrupt(): void {
    this.#scope.stop("interrupted");
    this.#abort.abort();
  }

  /** Appends the directives of a further message. False if the turn is over. */
  async add(input: EngineInput): Promise<boolean> {
    if (!this.#open) return false;
    const text = textOfInput(input);
    const rest = text.startsWith(RECOVERY_MARK) ? this.#history.unfinished() : null;
    this.#steps.push(...(rest ? scriptOf(rest.script).slice(rest.done) : scriptOf(text)));
    this.#scope.meter.read(text.length);
    await this.#history.append({ type: "user", messageIds: [...input.messageIds], text });
    return true;
  }

  /** Runs to the end: from `system/init` to the result message and `turn_end`. Rejects only if the engine itself broke. */
  async run(inputs: readonly EngineInput[]): Promise<void> {
    const { payloads, context, emit } = this.#scope;
    const before = this.#history.messages;
    const first = inputs[0];
    const recovers = first !== undefined && textOfInput(first).startsWith(RECOVERY_MARK);
    if (!recovers && this.#history.unfinished()) await this.#history.append({ type: "end", reason: "owner_lost" });
    for (const input of inputs) await this.add(input);
    const skills = context.profile.skills?.names ?? [];
    const init = payloads.init({ cwd: context.workspace, tools: TOOL_NAMES, skills });
    await emit({ ...init, payload: { ...init.payload, history_messages: before } });
    await this.#runSteps();
    if (this.#scope.stopped()) return;
    const reason = this.#end?.reason ?? "complete";
    await this.#history.append({ type: "end", reason });
    await this.#sendResult(reason);
  }

  async #runSteps(): Promise<void> {
    const most = this.#scope.context.maxTurns ?? Number.POSITIVE_INFINITY;
    for (let step = this.#steps.shift(); step && !this.#end; step = this.#steps.shift()) {
      if (isModelStep(step) && this.#stepsDone++ >= most) {
        this.#stepsDone = most;
        this.#scope.stop("max_turns");
        break;
      }
      try {
        await runStep(step, this.#scope);
      } catch (error) {
        if (!this.#abort.signal.aborted) throw error;
      }
      if (!this.#abort.signal.aborted) await this.#history.append({ type: "step" });
    }
    this.#open = false;
  }

  async #sendResult(reason: TurnEndedData["reason"]): Promise<void> {
    const { payloads, meter, said, denials, emit } = this.#scope;
    const usage = meter.usage(this.#price);
    const fields = { num_turns: this.#stepsDone, permission_denials: denials };
    if (reason === "interrupted") await emit(payloads.user([{ type: "text", text: INTERRUPTED }]));
    const text = said.at(-1) ?? "done";
    const subtype = { interrupted: "error_during_execution", max_turns: "error_max_turns" }[reason as string];
    await emit(
      subtype
        ? payloads.result({ subtype, is_error: true, errors: [], ...fields }, usage)
        : payloads.result({ subtype: "success", is_error: reason === "error", result: text, ...fields }, usage),
    );
    const error = this.#end?.error;
    await emit({ kind: "turn_end", turnId: this.id, reason, usage, ...(error ? { error } : {}) });
  }
}
