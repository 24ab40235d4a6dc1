import type {
  Authorization,
  JsonObject,
  PermissionDecisionBody,
  PermissionRequestData,
  PermissionResolvedData,
  Risk,
  ToolCall,
} from "@computeragent/protocol";
import { AnsweredCalls } from "./answered-calls.ts";
import { SessionGrants } from "./session-grants.ts";

/** What the policy says about a call. */
export interface Verdict {
  readonly verdict: "allow" | "ask" | "deny";
  readonly risk: Risk;
  readonly reason: string;
}

/** What the desk needs from its session. */
export interface DeskHost {
  judge(call: ToolCall): Verdict;
  /** What may be shown of a request. */
  mask(data: PermissionRequestData): PermissionRequestData;
  /** Emits `ca_permission_request`; `onSeq` gets the event's id. */
  requested(data: PermissionRequestData, onSeq: (seq: number) => void): void;
  /** Emits `ca_permission_resolved`; resolves with whether it was recorded. */
  resolved(data: PermissionResolvedData): Promise<boolean>;
  /** The number of open requests has changed. */
  changed(open: number): void;
  readonly expiryMs: number;
  readonly compliance?: PermissionRequestData["gap_compliance"];
}

/** A request that waits for its answer. */
interface Entry {
  readonly call: ToolCall;
  readonly request: PermissionRequestData;
  readonly settle: (authorization: Authorization) => void;
  /** Stops the expiry and no longer listens to the engine. */
  readonly release: () => void;
  seq: number | undefined;
}

type How = Omit<PermissionResolvedData, "callId"> & { readonly input?: JsonObject };

/** So many calls are remembered to answer an engine that asks twice about the same one. */
const KEEP_DECIDED = 512;

/** Permission round trips of one session: nothing is allowed because nobody answered, and nothing outside of a turn. */
export class PermissionDesk {
  readonly #host: DeskHost;
  readonly #open = new Map<string, Entry>();
  readonly #answered = new AnsweredCalls();
  readonly #decided = new Map<string, Promise<Authorization>>();
  readonly #grants = new SessionGrants();
  #refusal: string | undefined = "no turn is running";
  #final = false;

  constructor(host: DeskHost) {
    this.#host = host;
  }

  /** Never rejects; idempotent per call id. */
  authorize(call: ToolCall): Promise<Authorization> {
    const known = this.#decided.get(call.callId);
    if (known) return known;
    const answer = this.#decide(call).catch((): Authorization => ({ behavior: "deny", message: "The policy failed." }));
    this.#decided.set(call.callId, answer);
    for (const id of this.#decided.keys()) {
      if (this.#decided.size <= KEEP_DECIDED) break;
      if (!this.#open.has(id)) this.#decided.delete(id);
    }
    return answer;
  }

  /** Applies an answer. Throws NOT_FOUND, PERMISSION_RESOLVED or PERMISSION_EXPIRED; the same answer again is accepted. */
  async answer(callId: string, body: PermissionDecisionBody, by: string): Promise<void> {
    const entry = this.#open.get(callId);
    if (!entry) return this.#answered.repeat(callId, body);
    const { call, request } = entry;
    if (body.scope === "session" && body.decision === "allow") this.#grants.add(call, request.risk);
    const input = body.decision === "modify" ? body.input : undefined;
    const authorization: Authorization =
      body.decision === "deny"
        ? { behavior: "deny", message: body.reason ?? "The user denied this." }
        : { behavior: "allow", input: input ?? call.input };
    const reason = body.reason === undefined ? {} : { reason: body.reason };
    await this.#resolve(entry, authorization, { decision: body.decision, by, ...reason, ...(input ? { input } : {}) });
  }

  /** Open requests as they may be shown, oldest first. */
  pending(): { readonly request: PermissionRequestData; readonly seq: number | undefined }[] {
    return [...this.#open.values()].map(({ request, seq }) => ({ request, seq }));
  }

  /** A turn begins: calls are judged again, unless the session is over. */
  admit(): void {
    if (!this.#final) this.#refusal = undefined;
  }

  /** Denies what is open, and every call until `admit`; with `final` for ever. */
  refuse(reason: string, final: boolean): void {
    if (this.#final) return;
    this.#refusal = reason;
    this.#final = final;
    for (const entry of this.#open.values()) {
      void this.#resolve(entry, refused(reason), { decision: "cancelled", by: "host", reason });
    }
  }

  async #decide(call: ToolCall): Promise<Authorization> {
    if (this.#refusal !== undefined) return refused(this.#refusal);
    const { verdict, risk, reason } = this.#host.judge(call);
    if (verdict === "deny") {
      await this.#host.resolved({ callId: call.callId, decision: "deny", by: "policy", reason });
      return { behavior: "deny", message: `Denied by policy: ${reason}` };
    }
    if (verdict === "allow" || this.#grants.covers(call, risk)) return { behavior: "allow", input: call.input };
    if (call.signal?.aborted) return { behavior: "deny", message: "The engine withdrew the request." };
    return this.#ask(call, risk);
  }

  #ask(call: ToolCall, risk: Risk): Promise<Authorization> {
    const { expiryMs, compliance } = this.#host;
    const { promise, resolve } = Promise.withResolvers<Authorization>();
    const cancel = (decision: "expired" | "cancelled", by: string, reason: string): void => {
      void this.#resolve(entry, { behavior: "deny", message: reason }, { decision, by, reason });
    };
    const withdrawn = (): void => cancel("cancelled", "engine", "the engine withdrew the request");
    const timer = setTimeout(() => cancel("expired", "expiry", "nobody answered in time"), expiryMs);
    call.signal?.addEventListener("abort", withdrawn, { once: true });
    const entry: Entry = {
      call,
      request: this.#host.mask({
        callId: call.callId,
        toolName: call.toolName,
        input: call.input,
        risk,
        ...(call.title === undefined ? {} : { title: call.title }),
        ...(call.agentId === undefined ? {} : { agentId: call.agentId }),
        expiresAt: new Date(Date.now() + expiryMs).toISOString(),
        ...(compliance ? { gap_compliance: compliance } : {}),
      }),
      settle: resolve,
      release: () => {
        clearTimeout(timer);
        call.signal?.removeEventListener("abort", withdrawn);
      },
      seq: undefined,
    };
    this.#open.set(call.callId, entry);
    this.#host.requested(entry.request, (seq) => {
      entry.seq = seq;
    });
    this.#host.changed(this.#open.size);
    return promise;
  }

  /** The one way out of `#open`. The engine hears of it when it is recorded; an interrupt or the end in between wins. */
  async #resolve(entry: Entry, authorization: Authorization, how: How): Promise<void> {
    const { callId } = entry.call;
    if (!this.#open.delete(callId)) return;
    entry.release();
    const { input, ...data } = how;
    this.#answered.add({ callId, ...data }, input);
    const recorded = this.#host.resolved({ callId, ...data });
    this.#host.changed(this.#open.size);
    const stands = (await recorded) && this.#refusal === undefined;
    entry.settle(stands || authorization.behavior === "deny" ? authorization : refused(this.#refusal));
  }
}

function refused(reason: string | undefined): Authorization {
  return { behavior: "deny", message: reason ?? "This cannot be recorded.", interrupt: true };
}
