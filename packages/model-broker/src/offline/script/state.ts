import { z } from "zod";
import type { Compile, ProgramStep, Vars } from "./program.ts";

/** How far a script has come: computed anew from every request, kept nowhere. */
export interface ScriptState {
  /** The messages that make up the script: the one that opened the turn, and those steered in. */
  readonly texts: readonly string[];
  /** Index of the first step that is not done. */
  readonly next: number;
  readonly vars: Vars;
  /** How many tool steps are done. */
  readonly ran: number;
}

/** A script that begins. */
export const begin = (text: string): ScriptState => ({ texts: [text], next: 0, vars: {}, ran: 0 });

/** All steps of a script. */
export const stepsOf = (state: ScriptState, compile: Compile): readonly ProgramStep[] =>
  state.texts.flatMap((text) => compile(text).steps);

const Saved = z.object({
  texts: z.array(z.string()).min(1),
  next: z.number().int().min(0),
  vars: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  ran: z.number().int().min(0),
});
const OPEN = "<offline-script>";
const CLOSE = "</offline-script>";

/** Writes a state into the summary of a conversation, so that the script survives that its own message is dropped. */
export function saveState(state: ScriptState): string {
  return OPEN + JSON.stringify(state).replaceAll("<", "\\u003c") + CLOSE;
}

/** Finds a saved state in a summary. */
export function loadState(summary: string): ScriptState | null {
  const start = summary.indexOf(OPEN);
  const end = summary.indexOf(CLOSE, start);
  if (start === -1 || end === -1) return null;
  try {
    return Saved.parse(JSON.parse(summary.slice(start + OPEN.length, end)));
  } catch {
    return null;
  }
}
