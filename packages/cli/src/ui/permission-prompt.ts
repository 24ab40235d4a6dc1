import type { JsonObject, PermissionDecisionBody, PermissionRequestData } from "@computeragent/protocol";
import { Asker, type Terminal } from "./asker.ts";
import { describeCall, printable } from "./summary.ts";

/** Asks a person on the terminal. Rejects when `signal` aborts; when the terminal's input ends, that is a denial. */
export async function askPermission(
  request: PermissionRequestData,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<PermissionDecisionBody> {
  const asker = new Asker(terminal, signal);
  try {
    asker.say(`\npermission (${request.risk}): ${describeCall(request.toolName, request.input)}`);
    asker.say(printable(JSON.stringify(request.input, null, 2)));
    for (;;) {
      const decision = await decisionOf(asker);
      if (decision) return decision;
    }
  } catch (error) {
    if (signal.aborted) throw error;
    return { decision: "deny", reason: "the terminal's input ended" };
  } finally {
    asker.close();
  }
}

async function decisionOf(asker: Asker): Promise<PermissionDecisionBody | undefined> {
  switch ((await asker.ask("allow once [a], for this session [s], modify [m], deny [d]? ")).toLowerCase()) {
    case "a":
    case "allow":
      return { decision: "allow" };
    case "s":
      return { decision: "allow", scope: "session" };
    case "d":
    case "deny":
      return { decision: "deny", reason: (await asker.ask("reason (optional): ")) || "denied by the user" };
    case "m":
    case "modify": {
      const input = asObject(await asker.ask("new input as JSON: "));
      if (input) return { decision: "modify", input };
      asker.say("that is not a JSON object");
      return undefined;
    }
    default:
      asker.say("answer with a, s, m or d");
      return undefined;
  }
}

function asObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
