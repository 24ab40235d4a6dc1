import type { Access, Hitl, PermissionMode } from "@computeragent/protocol";
import type { Classification } from "./classification.ts";
import { atLeast } from "./risk.ts";

/** What happens to a call: it runs, a human is asked, or it is refused. */
export interface Decision {
  readonly verdict: "allow" | "ask" | "deny";
  /** One clause that tells why, for people. */
  readonly reason: string;
}

/** What is decided on. */
export interface Question {
  readonly mode: PermissionMode;
  readonly access: Access;
  readonly hitl?: Hitl;
  readonly classification: Classification;
}

/** The decision table: mode first, access as a boundary, then the manifest's supervision. Total, never throws. */
export function decide(q: Question): Decision {
  const { mode, classification } = q;
  if (classification.kind === "interaction") {
    return mode === "deny"
      ? { verdict: "deny", reason: "nobody is asked in mode deny" }
      : { verdict: "ask", reason: "the agent asks the user" };
  }
  return supervised(q, stricter(byMode(mode, classification), byAccess(q)));
}

function byMode(mode: PermissionMode, { risk, reason }: Classification): Decision {
  const because = `${risk} risk: ${reason}`;
  if (mode === "auto") return { verdict: "allow", reason: because };
  if (mode === "ask_all") return { verdict: "ask", reason: because };
  if (mode === "deny_destructive") return { verdict: risk === "destructive" ? "deny" : "allow", reason: because };
  if (risk === "low") return { verdict: "allow", reason: because };
  return { verdict: mode === "ask" ? "ask" : "deny", reason: because };
}

const ASKING: ReadonlySet<PermissionMode> = new Set(["ask", "ask_all"]);

function byAccess({ access, mode, classification }: Question): Decision {
  const { kind, risk, outside } = classification;
  const free: Decision = { verdict: "allow", reason: "within the access" };
  if (access === "full") return free;
  if (access === "workspace_write") {
    if (kind !== "write" || !outside) return free;
    return { verdict: ASKING.has(mode) ? "ask" : "deny", reason: "it writes outside the workspace" };
  }
  if (kind === "write") return { verdict: "deny", reason: "the access is read-only" };
  if (kind === "execute" && atLeast(risk, "high"))
    return { verdict: "deny", reason: "the access is read-only and the command may change something" };
  if (kind === "network" || (kind === "other" && atLeast(risk, "high")))
    return { verdict: ASKING.has(mode) ? "ask" : "deny", reason: "the access is read-only" };
  return free;
}

function supervised({ hitl, classification }: Question, decision: Decision): Decision {
  if (decision.verdict !== "allow") return decision;
  const ask: Decision = { verdict: "ask", reason: `the manifest wants a human to decide (${hitl})` };
  if (hitl === "always") return ask;
  const partly = hitl === "conditional" || hitl === "destructive";
  return partly && classification.kind !== "read" && atLeast(classification.risk, "medium") ? ask : decision;
}

const WEIGHT = { allow: 0, ask: 1, deny: 2 } as const;

function stricter(a: Decision, b: Decision): Decision {
  return WEIGHT[b.verdict] > WEIGHT[a.verdict] ? b : a;
}
