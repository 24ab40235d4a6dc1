import type { Risk, ToolCall } from "@computeragent/protocol";
import { canonicalJson } from "./canonical.ts";

const ORDER: readonly Risk[] = ["low", "medium", "high", "destructive"];

/**
 * What a human allowed for the rest of the session. A grant covers the same tool at the same or a lower risk; a
 * command, or anything destructive, only when the input is identical.
 */
export class SessionGrants {
  readonly #tools = new Map<string, Risk>();
  readonly #exact = new Set<string>();

  add(call: ToolCall, risk: Risk): void {
    if (risk === "destructive" || isCommand(call)) this.#exact.add(exactKey(call));
    else this.#tools.set(call.toolName, risk);
  }

  covers(call: ToolCall, risk: Risk): boolean {
    if (this.#exact.has(exactKey(call))) return true;
    const granted = this.#tools.get(call.toolName);
    return granted !== undefined && !isCommand(call) && ORDER.indexOf(risk) <= ORDER.indexOf(granted);
  }
}

function isCommand(call: ToolCall): boolean {
  return "command" in call.input || "cmd" in call.input;
}

function exactKey(call: ToolCall): string {
  return `${call.toolName}\n${canonicalJson(call.input)}`;
}
