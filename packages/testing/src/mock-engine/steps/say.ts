import { sendBlock, TEXT, THINKING } from "../blocks.ts";
import type { TurnScope } from "../turn-scope.ts";

/** `!say`, and every other answer in words. */
export async function say({ text }: { readonly text: string }, turn: TurnScope): Promise<void> {
  turn.said.push(text);
  await sendBlock(turn, TEXT, text, { type: "text", text });
}

/** `!think` */
export async function think({ text }: { readonly text: string }, turn: TurnScope): Promise<void> {
  await sendBlock(turn, THINKING, text, { type: "thinking", thinking: text, signature: "" });
}
