import type { Risk } from "@computeragent/protocol";

const ORDER: readonly Risk[] = ["low", "medium", "high", "destructive"];

/** Whether `risk` is `floor` or worse. */
export function atLeast(risk: Risk, floor: Risk): boolean {
  return ORDER.indexOf(risk) >= ORDER.indexOf(floor);
}
