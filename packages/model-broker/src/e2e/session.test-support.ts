import type { ModelCallUsage, ModelGrant, ModelRequest } from "@computeragent/protocol";
import { createModelBroker, type ModelBroker, type ModelBrokerOptions } from "../create-model-broker.ts";

/** A broker with one open session, and everything it reported. */
export interface OpenSession extends AsyncDisposable {
  readonly broker: ModelBroker;
  readonly grant: ModelGrant;
  readonly calls: ModelCallUsage[];
  readonly exhausted: string[];
  readonly notices: string[];
}

/** Starts a broker (offline, unless told otherwise) and opens a session on it. */
export async function openSession(
  request: Partial<ModelRequest> = {},
  options: Partial<ModelBrokerOptions> = {},
): Promise<OpenSession> {
  const broker = await createModelBroker({ routes: [{ id: "offline", protocol: "offline" }], ...options });
  const [calls, exhausted, notices]: [ModelCallUsage[], string[], string[]] = [[], [], []];
  const grant = await broker.open({
    sessionId: "sess_test",
    limits: {},
    onUsage: (call) => calls.push(call),
    onExhausted: (limit) => exhausted.push(limit),
    onNotice: (code) => notices.push(code),
    ...request,
  });
  return { broker, grant, calls, exhausted, notices, [Symbol.asyncDispose]: () => broker[Symbol.asyncDispose]() };
}
