import {
  type Authorization,
  type JsonObject,
  type PermissionDecisionBody,
  type PermissionRequestData,
  type PermissionResolvedData,
  type Risk,
  type ToolCall,
  WireError,
} from "@computeragent/protocol";
import { canonicalJson } from "./canonical.ts";
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
  /** Emits `ca_permission_request`; `onSeq` gets the event's id. */
  requested(data: PermissionRequestData, onSeq: (seq: number) => void): void;
  /** Emits `ca_permission_resolved`; resolves when it is committed. */
  resolved(data: PermissionResolvedData): Promise<void>;
  /** The number of open requests went from or to zero. */
  changed(): void;
  readonly expiryMs: number;
  readonly compliance?: PermissionRequestData["gap_compliance"];
}

interface Entry {
  readonly call: ToolCall;
  readonly request: PermissionRequestData;
  readonly answer: Promise<Authorization>;
  readonly settle: (authorization: Authorization) => void;
  readonly timer: NodeJS.Timeout;
  seq: number | undefined;
  resolution: (PermissionResolvedData & { input?: JsonObject }) | undefined;
}

/** Remembered per session, so that a late or second answer gets a true reply. */
const KEEP_RESOLVED = 10_000;

/** Permission round trips of one session: nothing is allowed because nobody answered. */
export class PermissionDesk {
  readonly #host: DeskHost;
  readonly #entries = new Map<string, Entry>();
  readonly #decided = new Map<string, Promise<Authorization>>();
  readonly #grants = new SessionGrants();
  #closed: string | undefined;

  constructor(host: DeskHost) {
    this.#host = host;
  }

  /** Never rejects; idempotent per call id. */
  authorize(call: ToolCall): Promise<Authorization> {
    const known = this.#decided.get(call.callId);
    if (known) return known;
    const answer = this.#decide(call);
    this.#decided.set(call.callId, answer);
    if (this.#decided.size > KEEP_RESOLVED) this.#forget();
    return answer;
  }

  /** Applies an answer. Throws NOT_FOUND, PERMISSION_RESOLVED or PERMISSION_EXPIRED; the same answer again is accepted. */
  async answer(callId: string, body: PermissionDecisionBody, by: string): Promise<void> {
    const entry = this.#entries.get(callId);
    if (!entry) throw new WireError("NOT_FOUND", "no permission request with this call id in this session");
    const before = entry.resolution;
    if (before) {
      if (before.decision === "expired" || before.decision === "cancelled") {
        throw new WireError("PERMISSION_EXPIRED", `the request was already ${before.decision}`);
      }
      const same =
        before.decision === body.decision &&
        (body.decision !== "modify" || canonicalJson(body.input ?? {}) === canonicalJson(before.input ?? {}));
      if (same) return;
      const { input: _input, ...resolution } = before;
      throw new WireError("PERMISSION_RESOLVED", `already answered with ${before.decision} by ${before.by}`, {
        extra: { resolution },
      });
    }
    if (body.scope === "session" && body.decision === "allow") this.#grants.add(entry.call, entry.request.risk);
    const authorization: Authorization =
      body.decision === "deny"
        ? { behavior: "deny", message: body.reason ?? "The user denied this." }
        : {
            behavior: "allow",
            input: body.decision === "modify" ? (body.input ?? entry.call.input) : entry.call.input,
          };
    await this.#resolve(entry, authorization, {
      decision: body.decision,
      by,
      ...(body.reason === undefined ? {} : { reason: body.reason }),
      ...(body.decision === "modify" && body.input ? { input: body.input } : {}),
    });
  }

  /** Open requests, oldest first. */
  open(): readonly { request: PermissionRequestData; seq: number | undefined }[] {
    return [...this.#entries.values()].filter((e) => !e.resolution).map(({ request, seq }) => ({ request, seq }));
  }

  /** Answers everything open with a denial that also ends the turn. With `final`, later calls are denied too. */
  async cancelAll(reason: string, final: boolean): Promise<void> {
    if (final) this.#closed = reason;
    const open = [...this.#entries.values()].filter((entry) => !entry.resolution);
    await Promise.all(
      open.map((entry) =>
        this.#resolve(
          entry,
          { behavior: "deny", message: reason, interrupt: true },
          { decision: "cancelled", by: "host", reason },
        ),
      ),
    );
  }

  async #decide(call: ToolCall): Promise<Authorization> {
    if (this.#closed) return { behavior: "deny", message: this.#closed, interrupt: true };
    const verdict = this.#host.judge(call);
    if (verdict.verdict === "allow") return { behavior: "allow", input: call.input };
    if (verdict.verdict === "deny") {
      await this.#host.resolved({ callId: call.callId, decision: "deny", by: "policy", reason: verdict.reason });
      return { behavior: "deny", message: `Denied by policy: ${verdict.reason}` };
    }
    if (this.#grants.covers(call, verdict.risk)) return { behavior: "allow", input: call.input };
    return this.#ask(call, verdict.risk);
  }

  #ask(call: ToolCall, risk: Risk): Promise<Authorization> {
    const { promise, resolve } = Promise.withResolvers<Authorization>();
    const expiryMs = this.#host.expiryMs;
    const entry: Entry = {
      call,
      request: {
        callId: call.callId,
        toolName: call.toolName,
        input: call.input,
        risk,
        ...(call.title === undefined ? {} : { title: call.title }),
        ...(call.agentId === undefined ? {} : { agentId: call.agentId }),
        expiresAt: new Date(Date.now() + expiryMs).toISOString(),
        ...(this.#host.compliance ? { gap_compliance: this.#host.compliance } : {}),
      },
      answer: promise,
      settle: resolve,
      timer: setTimeout(() => void this.#expire(entry), expiryMs),
      seq: undefined,
      resolution: undefined,
    };
    this.#entries.set(call.callId, entry);
    this.#host.requested(entry.request, (seq) => {
      entry.seq = seq;
    });
    this.#host.changed();
    call.signal?.addEventListener(
      "abort",
      () => {
        const reason = "the engine withdrew the request";
        void this.#resolve(
          entry,
          { behavior: "deny", message: reason },
          { decision: "cancelled", by: "engine", reason },
        );
      },
      { once: true },
    );
    return promise;
  }

  async #expire(entry: Entry): Promise<void> {
    const reason = "nobody answered in time";
    await this.#resolve(entry, { behavior: "deny", message: reason }, { decision: "expired", by: "expiry", reason });
  }

  async #resolve(
    entry: Entry,
    authorization: Authorization,
    how: Omit<PermissionResolvedData, "callId"> & { input?: JsonObject },
  ): Promise<void> {
    if (entry.resolution) return;
    clearTimeout(entry.timer);
    entry.resolution = { callId: entry.call.callId, ...how };
    const { input: _input, ...data } = entry.resolution;
    const committed = this.#host.resolved(data);
    this.#host.changed();
    await committed;
    entry.settle(authorization);
  }

  #forget(): void {
    for (const [id] of this.#decided) {
      const entry = this.#entries.get(id);
      if (entry && !entry.resolution) continue;
      this.#entries.delete(id);
      this.#decided.delete(id);
      return;
    }
  }
}
