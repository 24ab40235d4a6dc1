/** What a piece of text in a request really is. */
export type TextKind =
  | { readonly kind: "user"; readonly text: string }
  | { readonly kind: "steer"; readonly text: string }
  | { readonly kind: "summary"; readonly text: string }
  | { readonly kind: "recovery" | "interrupted" | "engine" };

const REMINDER_OPEN = "<system-reminder>";
const REMINDER_CLOSE = "</system-reminder>";
const STEER = "The user sent a new message while you were working:\n";
const STEER_END = /\n\n(?:This is how Claude Code surfaces|IMPORTANT:)/;
const SUMMARY = "This session is being continued from a previous conversation";

/** Begins of texts that Claude Code puts into user messages by itself. */
const OF_THE_ENGINE = [
  "Base directory for this skill:",
  "[Image: source:",
  "<local-command-",
  "<command-name>",
  "<command-message>",
  "<task-notification>",
  "Stop hook feedback:",
];

/** Parts a text into its `<system-reminder>` sections, which fill whole lines, and the rest. */
function split(text: string): { rest: string; reminders: string[] } {
  const reminders: string[] = [];
  let rest = "";
  let from = 0;
  let open = text.indexOf(REMINDER_OPEN);
  while (open !== -1) {
    const startsLine = open === 0 || text[open - 1] === "\n";
    const close = startsLine ? text.indexOf(REMINDER_CLOSE, open) : open;
    if (close === -1) break;
    const end = close + (startsLine ? REMINDER_CLOSE.length : 1);
    if (startsLine && (end === text.length || text[end] === "\n")) {
      reminders.push(text.slice(open + REMINDER_OPEN.length, close).replace(/^\n/, ""));
      rest += text.slice(from, open);
      from = end;
    }
    open = text.indexOf(REMINDER_OPEN, end);
  }
  rest += text.slice(from);
  return { rest: reminders.length > 0 ? rest.trimEnd() : rest, reminders };
}

/** Takes the `<system-reminder>` sections out. */
export const withoutReminders = (text: string): string => split(text).rest;

/** The contents of the `<system-reminder>` sections. */
export const remindersOf = (text: string): string[] => split(text).reminders;

/** The user's words in a notice "the user sent a new message", or `null` when the text is no such notice. */
export function steerIn(text: string): string | null {
  if (!text.startsWith(STEER)) return null;
  const rest = text.slice(STEER.length);
  const end = rest.search(STEER_END);
  return end === -1 ? rest : rest.slice(0, end);
}

/** The user's words in a notice that was glued to the end of a tool result. */
export function steersAtEndOf(result: string): string[] {
  if (!result.trimEnd().endsWith("</system-reminder>")) return [];
  return remindersOf(result).flatMap((reminder) => steerIn(reminder) ?? []);
}

/** Whether a text asks for the summary that replaces a conversation. */
export const isCompaction = (text: string): boolean =>
  text.includes("Do NOT call any tools") && text.includes("<summary>") && text.includes("<analysis>");

function withoutLastLineFeeds(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n") end--;
  return text.slice(0, end);
}

/** Tells a text block of a user message: the user's own words, or what engine and host add. */
export function classifyText(block: string): TextKind {
  const steered = block.startsWith(REMINDER_OPEN) ? remindersOf(block).map(steerIn) : [steerIn(block)];
  const steer = steered.find((text) => text !== null);
  if (steer !== undefined) return { kind: "steer", text: steer };
  const own = withoutReminders(block);
  const text = own.trim();
  if (text === "") return { kind: "engine" };
  if (text.startsWith("<computeragent-recovery>")) return { kind: "recovery" };
  if (text.startsWith("[Request interrupted by user")) return { kind: "interrupted" };
  if (text.startsWith(SUMMARY)) return { kind: "summary", text };
  if (isCompaction(text) || OF_THE_ENGINE.some((begin) => text.startsWith(begin))) return { kind: "engine" };
  return { kind: "user", text: withoutLastLineFeeds(own) };
}
