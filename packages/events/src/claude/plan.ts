import type { JsonObject, JsonValue } from "@computeragent/protocol";
import type { PlanStep } from "../normalized-event.ts";
import { given, idOf, listOf, objectOf, oneOf, stringOf, textOf } from "../shape.ts";
import type { OpenCall, Task } from "./state.ts";

const STATUS = ["pending", "in_progress", "completed"] as const;

/** A plan after a successful call. `tasks` when the call changed the session's task list, which sub-agents share. */
export interface PlanChange {
  readonly items: readonly PlanStep[];
  readonly tasks?: readonly Task[];
}

/** What a call to one of Claude's planning tools did: a to-do list as a whole, or one task of the task list. */
export function planChange(
  tasks: readonly Task[],
  call: OpenCall,
  details: JsonObject,
  text: string,
): PlanChange | undefined {
  switch (call.name) {
    case "TodoWrite":
      return { items: listOf(details.newTodos ?? call.input.todos).map(todo) };
    case "TaskCreate":
      return ofTasks(created(tasks, call.input, details, text));
    case "TaskUpdate":
      return details.success === false ? undefined : ofTasks(updated(tasks, call.input));
    case "TaskList":
      return Array.isArray(details.tasks) ? ofTasks(listed(tasks, details.tasks)) : undefined;
    default:
      return undefined;
  }
}

function ofTasks(tasks: readonly Task[]): PlanChange {
  return { items: tasks.map(({ id: _id, ...step }) => step), tasks };
}

function todo(value: JsonValue): PlanStep {
  const { content, status, activeForm } = objectOf(value);
  return {
    text: textOf(content),
    status: oneOf(STATUS, status, "pending"),
    ...given("active", stringOf(activeForm)),
  };
}

function created(tasks: readonly Task[], input: JsonObject, details: JsonObject, text: string): readonly Task[] {
  const made = objectOf(details.task);
  const id = idOf(made.id) ?? /#(\d+)/.exec(text)?.[1];
  if (id === undefined) return tasks;
  const active = given("active", stringOf(input.activeForm));
  const task: Task = { id, text: stringOf(made.subject) ?? textOf(input.subject), status: "pending", ...active };
  return [...tasks.filter((known) => known.id !== id), task];
}

function updated(tasks: readonly Task[], input: JsonObject): readonly Task[] {
  const { taskId, subject, activeForm, status } = input;
  if (status === "deleted") return tasks.filter(({ id }) => id !== taskId);
  return tasks.map((task) =>
    task.id === taskId
      ? {
          ...task,
          text: stringOf(subject) ?? task.text,
          status: oneOf(STATUS, status, task.status),
          ...given("active", stringOf(activeForm) ?? task.active),
        }
      : task,
  );
}

/** The list as Claude itself reports it; it does not repeat the active forms. */
function listed(tasks: readonly Task[], reported: readonly JsonValue[]): readonly Task[] {
  return reported.flatMap((value) => {
    const { id: rawId, subject, status } = objectOf(value);
    const id = idOf(rawId);
    if (id === undefined) return [];
    const active = given("active", tasks.find((task) => task.id === id)?.active);
    return [{ id, text: textOf(subject), status: oneOf(STATUS, status, "pending"), ...active }];
  });
}
