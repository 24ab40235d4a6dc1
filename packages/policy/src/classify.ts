import type { Classification } from "./classification.ts";
import { Ledger, type Place } from "./ledger.ts";
import { resolvePath } from "./paths.ts";
import { judgeCommandLine } from "./shell/judge.ts";
import { fieldsOf, folderOf, pathsOf, strayPatternsOf } from "./tools/input.ts";
import { toolRule } from "./tools/names.ts";
import { judgePatch } from "./tools/patch.ts";

/** A tool call to classify. */
export interface Call {
  readonly toolName: string;
  readonly input: unknown;
  /** Absolute path of the folder that the session works in. */
  readonly workspace: string;
  /** The tool's own claim that it only reads (MCP annotations); believed for tools that are not built in. */
  readonly readOnlyHint?: boolean;
  /** False when the content of the file at an absolute path could not be brought back; absent = unknown. */
  readonly versioned?: (path: string) => boolean;
}

/** How dangerous a tool call is, by its text alone: no file is looked at. Never throws. */
export function classify(call: Call): Classification {
  const fields = fieldsOf(call.input);
  const place: Place = { workspace: call.workspace, ...(call.versioned ? { versioned: call.versioned } : {}) };
  const rule = toolRule(call.toolName);
  if (rule === undefined) return unknownTool(call);
  switch (rule.type) {
    case "fixed":
      return {
        risk: rule.risk,
        kind: rule.kind,
        paths: pathsOf(fields),
        outside: rule.outside ?? false,
        reason: rule.reason,
      };
    case "files": {
      const ledger = new Ledger(place, "low", "it reads inside the workspace");
      const paths = pathsOf(fields);
      for (const path of paths) ledger.use(path, [call.workspace], rule.use);
      if (rule.use === "read")
        for (const pattern of strayPatternsOf(fields)) ledger.use(pattern, [call.workspace], "read");
      if (paths.length === 0 && rule.pathless === "unclear") ledger.unknown(rule.use);
      return ledger.classification(rule.use === "read" ? "read" : "write");
    }
    case "patch": {
      const ledger = new Ledger(place, "medium", "it changes files inside the workspace");
      judgePatch(textOf(fields, ["input", "patch", "patchText", "patch_text"]), folder(fields, call.workspace), ledger);
      return ledger.classification("write");
    }
    case "command":
      return commandLine(call, fields, place);
  }
}

function commandLine(call: Call, fields: Readonly<Record<string, unknown>>, place: Place): Classification {
  const ledger = new Ledger(place, "medium", "its commands are on the harmless list");
  const cwd = folder(fields, call.workspace);
  const command = fields.command ?? fields.cmd;
  if (!resolvePath(cwd, cwd, call.workspace).inside) ledger.use(cwd, [cwd], "read");
  if (
    fields.dangerouslyDisableSandbox === true ||
    fields.with_escalated_permissions === true ||
    fields.sandbox_permissions === "require_escalated"
  )
    ledger.executes("high", "it asks to run without the sandbox");
  if (typeof command === "string") judgeCommandLine(command, cwd, ledger);
  else if (Array.isArray(command) && command.every((word) => typeof word === "string"))
    judgeCommandLine(command.map(quoted).join(" "), cwd, ledger);
  else ledger.executes("destructive", "there is no command line to judge");
  return ledger.classification();
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function unknownTool({ toolName, readOnlyHint }: Call): Classification {
  const none = { paths: [], outside: false };
  const what = /^mcp__/.test(toolName) ? "an MCP tool" : "a tool that is not known";
  return readOnlyHint === true
    ? { ...none, risk: "medium", kind: "read", reason: `${what} that says it only reads` }
    : { ...none, risk: "high", kind: "other", reason: what };
}

function textOf(fields: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  const found = names.map((name) => fields[name]).find((value) => typeof value === "string");
  return typeof found === "string" ? found : "";
}

function folder(fields: Readonly<Record<string, unknown>>, workspace: string): string {
  return resolvePath(folderOf(fields) ?? ".", workspace, workspace).path;
}
