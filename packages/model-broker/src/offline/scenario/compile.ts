import type { JsonObject, JsonValue } from "@computeragent/protocol";
import type { ToolOutcome } from "../conversation.ts";
import type { Call } from "../script/act.ts";
import type { Program, ProgramStep, Vars } from "../script/program.ts";
import { parseCondition } from "./condition.ts";
import type { Scenario, ScenarioCapture, ScenarioStep, ScenarioText, ScenarioWhen } from "./schema.ts";
import { parseTemplate } from "./template.ts";

/** Values that every scenario has: the user's message. */
export const BUILT_IN = ["user"] as const;

type Test = (vars: Vars) => boolean;
type Render = (vars: Vars) => string;

function test(when: ScenarioWhen): Test {
  if (typeof when === "string") return parseCondition(when).holds;
  if (Array.isArray(when)) {
    const all = when.map(parseCondition);
    return (vars) => all.every((condition) => condition.holds(vars));
  }
  const any = when.any.map(parseCondition);
  return (vars) => any.some((condition) => condition.holds(vars));
}

function render(text: ScenarioText): Render {
  if (typeof text === "string") return parseTemplate(text).render;
  const lines = text.map((line) => {
    if (typeof line === "string") return { holds: () => true, write: parseTemplate(line).render };
    return { holds: test(line.when), write: parseTemplate(line.text).render };
  });
  return (vars) =>
    lines
      .filter((line) => line.holds(vars))
      .map((line) => line.write(vars))
      .join("\n");
}

function renderJson(value: JsonValue, vars: Vars): JsonValue {
  if (typeof value === "string") return parseTemplate(value).render(vars);
  if (Array.isArray(value)) return value.map((item) => renderJson(item, vars));
  return typeof value === "object" && value !== null ? renderObject(value, vars) : value;
}

const renderObject = (value: JsonObject, vars: Vars): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renderJson(item, vars)]));

function callOf(step: ScenarioStep): { use: Call["kind"]; call: (vars: Vars) => Call } | null {
  const { bash, read, write, edit, tool } = step;
  if (bash !== undefined) {
    const command = render(bash);
    return { use: "bash", call: (vars) => ({ kind: "bash", command: command(vars) }) };
  }
  if (read !== undefined) {
    const path = render(read);
    return { use: "read", call: (vars) => ({ kind: "read", path: path(vars) }) };
  }
  if (write) {
    const [path, text] = [render(write.path), render(write.text)];
    return { use: "write", call: (vars) => ({ kind: "write", path: path(vars), text: text(vars) }) };
  }
  if (edit) {
    const [path, oldText, newText] = [render(edit.path), render(edit.old), render(edit.new)];
    return {
      use: "edit",
      call: (vars) => ({ kind: "edit", path: path(vars), oldText: oldText(vars), newText: newText(vars) }),
    };
  }
  if (!tool) return null;
  return { use: "tool", call: (vars) => ({ kind: "tool", name: tool.name, input: renderObject(tool.input, vars) }) };
}

const NUMBERED = /^[ \t]*\d+(?:\t|→)/;

/** The text of a result without the line numbers that some engines put before each line of a file. */
function plainText({ text }: ToolOutcome): string {
  const lines = text.split("\n");
  const full = lines.filter((line) => line.trim() !== "");
  if (full.length === 0 || !full.every((line) => NUMBERED.test(line))) return text;
  return lines.map((line) => line.replace(NUMBERED, "")).join("\n");
}

function capture(rules: Readonly<Record<string, ScenarioCapture>>, vars: Vars, outcome: ToolOutcome): Vars {
  const text = plainText(outcome);
  const found = Object.entries(rules).map(([name, rule]): [string, string | string[]] => {
    const { pattern, all } = typeof rule === "string" ? { pattern: rule, all: false } : rule;
    const matches = [...text.matchAll(new RegExp(pattern, "gm"))].map((match) => match[1] ?? match[0]);
    return [name, all ? matches : (matches[0] ?? "")];
  });
  return { ...vars, ...Object.fromEntries(found) };
}

function stepsOf(step: ScenarioStep, user: string): ProgramStep[] {
  const holds = step.when === undefined ? undefined : test(step.when);
  const known = (vars: Vars): Vars => ({ user, ...vars });
  const when = holds ? { when: (vars: Vars) => holds(known(vars)) } : {};
  const steps: ProgramStep[] = [];
  for (const kind of ["think", "say"] as const) {
    const text = step[kind];
    if (text === undefined) continue;
    const write = render(text);
    steps.push({
      kind: "act",
      ...when,
      act: (vars) => ({ kind: kind === "say" ? "text" : kind, text: write(known(vars)) }),
    });
  }
  const call = callOf(step);
  const rules = step.capture;
  if (call) {
    const captures = rules ? { capture: (vars: Vars, outcome: ToolOutcome) => capture(rules, vars, outcome) } : {};
    steps.push({ kind: "call", use: call.use, ...when, ...captures, call: (vars) => call.call(known(vars)) });
  }
  return steps;
}

/** Compiles a scenario for the message that it answers. */
export function compileScenario(scenario: Scenario, user: string): Program {
  return { scenario: scenario.name, steps: scenario.steps.flatMap((step) => stepsOf(step, user)) };
}

/** Whether a scenario answers a message in these surroundings. Patterns ignore case. */
export function matches(
  scenario: Scenario,
  request: { readonly user: string; readonly system: string; readonly tools: readonly string[] },
): boolean {
  const { user, system, tool } = scenario.match;
  const fits = (pattern: string | undefined, texts: readonly string[]): boolean =>
    pattern === undefined || texts.some((text) => new RegExp(pattern, "im").test(text));
  return fits(user, [request.user]) && fits(system, [request.system]) && fits(tool, request.tools);
}
