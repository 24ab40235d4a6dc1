import type { Risk, ToolCall } from "@computeragent/protocol";
import { digestOf } from "./canonical.ts";

const ORDER: readonly Risk[] = ["low", "medium", "high", "destructive"];

/**
 * What a human allowed for the rest of the session. A grant covers the same tool at the same or a lower risk; a
 * command, or anything destructive, only when the input is identical.
 */
export class SessionGrants {
  readonly #tools = new Map<string, number>();
  readonly #exact = new Set<string>();

  add(call: ToolCall, risk: Risk): void {
    if (risk === "destructive" || isCommand(call)) this.#exact.add(exactKey(call));
    else this.#tools.set(call.toolName, Math.max(ORDER.indexOf(risk), this.#tools.get(call.toolName) ?? 0));
  }

  covers(call: ToolCall, risk: Risk): boolean {
    if (this.#tools.size === 0 && this.#exact.size === 0) return false;
    const granted = this.#tools.get(call.toolName);
    if (granted !== undefined && !isCommand(call) && ORDER.indexOf(risk) <= granted) return true;
    return this.#exact.has(exactKey(call));
  }
}

function isCommand(call: ToolCall): boolean {
  return "command" in call.input || "cmd" in call.input;
}

function exactKey(call: ToolCall): string {
  return `${call.toolName}\n${digestOf(call.input)}`;
}
