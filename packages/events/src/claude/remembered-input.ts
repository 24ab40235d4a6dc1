import type { JsonObject } from "@computeragent/protocol";
import { idOf } from "../shape.ts";

/** What of a call's input is needed when its result comes: of most calls nothing, for inputs may be large. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Edit: ["file_path"],
  MultiEdit: ["file_path"],
  NotebookEdit: ["notebook_path"],
  Write: ["file_path"],
  TaskCreate: ["subject", "activeForm"],
  TaskUpdate: ["taskId", "subject", "activeForm", "status"],
  TodoWrite: ["todos"],
};

/** The part of a tool's input that the state keeps. */
export function rememberedInput(name: string, input: JsonObject): JsonObject {
  const fields = Object.hasOwn(FIELDS, name) ? (FIELDS[name] ?? []) : [];
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = input[field];
      return value === undefined ? [] : [[field, value] as const];
    }),
  );
}

/** The file that a remembered call was to change. */
export const changedPath = (input: JsonObject): string | undefined =>
  idOf(input.file_path) ?? idOf(input.notebook_path);
