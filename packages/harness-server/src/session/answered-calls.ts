import {
  type JsonObject,
  type PermissionDecisionBody,
  type PermissionResolvedData,
  WireError,
} from "@computeragent/protocol";
import { digestOf } from "./canonical.ts";

/** So many are remembered; they are small. */
const KEEP = 10_000;

/** Permission requests of a session that are no longer open, so that a late or second answer gets a true reply. */
export class AnsweredCalls {
  readonly #calls = new Map<string, { readonly data: PermissionResolvedData; readonly input: string | undefined }>();

  add(data: PermissionResolvedData, input: JsonObject | undefined): void {
    this.#calls.set(data.callId, { data, input: input && digestOf(input) });
    const oldest = this.#calls.keys().next();
    if (this.#calls.size > KEEP && !oldest.done) this.#calls.delete(oldest.value);
  }

  /** Accepts the same answer again. Throws PERMISSION_RESOLVED for another one, PERMISSION_EXPIRED, or NOT_FOUND. */
  repeat(callId: string, body: PermissionDecisionBody): void {
    const call = this.#calls.get(callId);
    if (!call) throw new WireError("NOT_FOUND", "no permission request with this call id in this session");
    const { decision, by } = call.data;
    if (decision === "expired" || decision === "cancelled") {
      throw new WireError("PERMISSION_EXPIRED", `the request was already ${decision}`);
    }
    const sameInput = decision !== "modify" || digestOf(body.input ?? {}) === call.input;
    if (decision === body.decision && sameInput) return;
    throw new WireError("PERMISSION_RESOLVED", `already answered with ${decision} by ${by}`, {
      extra: { resolution: call.data },
    });
  }
}
