import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, sep } from "node:path";
import { type Classification, classify, decide } from "@computeragent/policy";
import type { Risk, ToolCall } from "@computeragent/protocol";
import { isBelow, leadsInto, leadsOutside, realPlace } from "./leads-outside.ts";
import type { Verdict } from "./permission-desk.ts";
import type { SessionSpec } from "./session-spec.ts";

const ORDER: readonly Risk[] = ["low", "medium", "high", "destructive"];

/** What of a session decides on its calls. */
export interface JudgedBy extends Pick<SessionSpec, "access" | "permissionMode" | "governance"> {
  readonly dirs: Pick<SessionSpec["dirs"], "workspace" | "workspaceOwned"> &
    Partial<Pick<SessionSpec["dirs"], "owned">>;
}

/**
 * Policy of a session: what a tool call is, and whether it runs, is asked for, or is refused. `hostHome`: the folder with the
 * host's token; what visibly touches it outside the session's own folders is destructive, and no mode lets it run unasked.
 */
export function createJudge(spec: JudgedBy, hostHome?: string): (call: ToolCall) => Verdict {
  const { workspace, workspaceOwned } = spec.dirs;
  const isOwn = (path: string): boolean => workspaceOwned && path.startsWith(workspace + sep);
  const versioned = (path: string): boolean => isOwn(path) || !existsSync(path) || inRepository(path);
  // Where they are now: what becomes of them later must not widen what is the session's own.
  const own = [workspace, ...(spec.dirs.owned ?? [])].map(realPlace);
  const isOfHost = (path: string): boolean =>
    hostHome !== undefined &&
    isAbsolute(path) &&
    leadsInto(path, hostHome) &&
    !own.some((folder) => isBelow(realPlace(path), folder));
  return (call) => {
    const seen = classify({
      toolName: call.toolName,
      input: call.input,
      workspace,
      versioned,
      ...(call.readOnlyHint === undefined ? {} : { readOnlyHint: call.readOnlyHint }),
    });
    const isSecret = seen.paths.some(isOfHost);
    const isPlain = seen.outside || !seen.paths.some((path) => leadsOutside(path, workspace));
    const found = isSecret ? intoHost(seen) : isPlain ? seen : throughLink(seen);
    const risk = call.risk && ORDER.indexOf(call.risk) > ORDER.indexOf(found.risk) ? call.risk : found.risk;
    const classification = { ...found, risk };
    const { verdict, reason } = decide({
      mode: spec.permissionMode,
      access: spec.access,
      classification,
      ...(spec.governance.hitl ? { hitl: spec.governance.hitl } : {}),
    });
    if (isSecret && verdict === "allow") return { verdict: "ask", risk, reason: found.reason };
    return { verdict, risk, reason };
  };
}

/** A link in the workspace leads out of it: the same as a path outside. */
function throughLink(seen: Classification): Classification {
  const isHigh = ORDER.indexOf(seen.risk) >= ORDER.indexOf("high");
  const reason = "it uses a link that leads outside the workspace";
  return { ...seen, outside: true, ...(isHigh ? {} : { risk: "high", reason }) };
}

/** Who reads the host's folder can drive the host. */
function intoHost(seen: Classification): Classification {
  return { ...seen, outside: true, risk: "destructive", reason: "it uses the host's own folder" };
}

/** True if a folder at or above the file is a git work tree: an overwrite can be undone there. */
function inRepository(path: string): boolean {
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    if (existsSync(join(dir, ".git"))) return true;
    if (dir === dirname(dir)) return false;
  }
}
