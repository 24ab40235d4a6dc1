import { createInterface } from "node:readline/promises";
import type { JsonObject, PermissionDecisionBody, PermissionRequestData } from "@computeragent/protocol";
import { describeCall, printable } from "./summary.ts";

/** Asks a person on the terminal. Rejects with an `AbortError` when `signal` aborts. */
export async function askPermission(
  request: PermissionRequestData,
  streams: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream },
  signal: AbortSignal,
): Promise<PermissionDecisionBody> {
  const reader = createInterface({ input: streams.input, output: streams.output, terminal: true });
  // In this mode the terminal sends no signal by itself: Ctrl-C means the same here as elsewhere.
  reader.on("SIGINT", () => process.emit("SIGINT"));
  try {
    streams.output.write(`\npermission (${request.risk}): ${describeCall(request.toolName, request.input)}\n`);
    streams.output.write(`${printable(JSON.stringify(request.input, null, 2))}\n`);
    for (;;) {
      const answer = (
        await reader.question("allow once [a], for this session [s], modify [m], deny [d]? ", { signal })
      ).trim();
      switch (answer.toLowerCase()) {
        case "a":
        case "allow":
          return { decision: "allow" };
        case "s":
          return { decision: "allow", scope: "session" };
        case "d":
        case "deny":
          return {
            decision: "deny",
            reason: (await reader.question("reason (optional): ", { signal })).trim() || "denied by the user",
          };
        case "m":
        case "modify": {
          const input = asObject(await reader.question("new input as JSON: ", { signal }));
          if (input) return { decision: "modify", input };
          streams.output.write("that is not a JSON object\n");
          break;
        }
        default:
          streams.output.write("answer with a, s, m or d\n");
      }
    }
  } finally {
    reader.close();
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
