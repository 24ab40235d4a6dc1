import type { FileChanged, ToolCompleted, ToolOutput, ToolStarted } from "../normalized-event.ts";
import type { Conversation } from "./conversation.ts";
import type { Decision, ToolItem, ToolState } from "./item.ts";
import { addItem, base, findItem, putItem, replaceItem } from "./items.ts";

type In<T> = T & { readonly parent?: string };

const toolOf = (conversation: Conversation, callId: string): ToolItem | undefined =>
  findItem(conversation, "tool", ({ id }) => id === callId);

/** A tool is called. */
export function toolStarted(conversation: Conversation, event: In<ToolStarted>): Conversation {
  const { callId, name, kind, paths, input } = event;
  const old = toolOf(conversation, callId);
  if (old) return replaceItem(conversation, old, { ...old, name, kind, paths, input });
  const asked = findItem(conversation, "permission", (item) => item.callId === callId);
  return addItem(conversation, {
    ...base(conversation, callId, event),
    type: "tool",
    name,
    kind,
    paths,
    input,
    output: "",
    state: "running",
    ...(asked?.decision ? { decision: asked.decision } : {}),
  });
}

/** More output of a running tool. */
export function toolOutput(conversation: Conversation, { callId, text }: ToolOutput): Conversation {
  const old = toolOf(conversation, callId);
  if (old?.state !== "running" || text === "") return conversation;
  return replaceItem(conversation, old, { ...old, output: old.output + text });
}

/** A tool's result. A call whose start was not seen is shown without its name. */
export function toolCompleted(conversation: Conversation, event: In<ToolCompleted>): Conversation {
  const { callId, text } = event;
  const old = toolOf(conversation, callId);
  const call = old ?? {
    ...base(conversation, callId, event),
    type: "tool" as const,
    name: "",
    kind: "other" as const,
    paths: [],
    input: {},
  };
  return putItem(conversation, old, { ...call, output: text, state: endState(event, old?.decision) });
}

/** A decision about a call, also one that nobody was asked for. */
export function toolDecided(conversation: Conversation, callId: string, decision: Decision): Conversation {
  const old = toolOf(conversation, callId);
  return old ? replaceItem(conversation, old, { ...old, decision }) : conversation;
}

/** A tool changed a file. */
export function fileChanged(conversation: Conversation, event: In<FileChanged>, id: string): Conversation {
  const { callId, path, change, diff } = event;
  const item = { ...base(conversation, id, event), type: "file" as const, callId, path, change };
  return addItem(conversation, diff === undefined ? item : { ...item, diff });
}

function endState({ isError, stopped }: ToolCompleted, decision: Decision | undefined): ToolState {
  if (!isError && !stopped) return "completed";
  if (decision?.decision === "deny" || decision?.decision === "expired") return "denied";
  if (decision?.decision === "cancelled") return "interrupted";
  return stopped ?? "failed";
}
