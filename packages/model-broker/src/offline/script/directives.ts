import { type DirectiveStep, parseDirectives } from "@computeragent/protocol/directives";
import type { Act, Call } from "./act.ts";
import type { Program, ProgramStep } from "./program.ts";

const MAX_REPEATED = 4000;

const act = (value: Act): ProgramStep => ({ kind: "act", act: () => value });
const call = (value: Call): ProgramStep => ({ kind: "call", use: value.kind, call: () => value });
const text = (value: string): ProgramStep => act({ kind: "text", text: value });

function step(directive: DirectiveStep): ProgramStep {
  switch (directive.kind) {
    case "say":
      return text(directive.text);
    case "think":
    case "stream":
    case "sleep":
    case "error":
    case "usage":
      return act(directive);
    case "ask":
      return text("!ask is understood by the mock engine only: use !tool, and let the engine ask.");
    case "invalid":
      return text(`The offline model does not understand this line: ${directive.line}\n${directive.message}`);
    default:
      return call(directive);
  }
}

/** Compiles the directive lines of a message; `null` when it has none. */
export function compileDirectives(message: string): Program | null {
  const steps = parseDirectives(message);
  return steps && { scenario: "directives", steps: steps.map(step) };
}

/** The answer to a message that is no script: says what this is and repeats the request. */
export function compilePlain(message: string): Program {
  const shown = message.length > MAX_REPEATED ? `${message.slice(0, MAX_REPEATED)}…` : message;
  return {
    scenario: "directives",
    steps: [
      text(
        `This is the offline model: a script runner, not an AI. It runs the lines of a message that begin with "!", such as "!say hello" or "!bash ls". To talk to a real model, give the host an API key.\n\nYour message was:\n${shown}`,
      ),
    ],
  };
}
