import { setImmediate as nextTick, setTimeout as wait } from "node:timers/promises";
import { openMessage, TEXT } from "../blocks.ts";
import type { TurnScope } from "../turn-scope.ts";

const BREATHE_EVERY = 256;
const BLOCK_BYTES = 262_144;
const FILLER = "the quick brown fox jumps over the lazy dog ";

/** A source of texts of exactly `bytes` ASCII bytes, each beginning with its number where there is room. */
function texts(bytes: number): (n: number) => string {
  const filler = FILLER.repeat(Math.ceil((bytes + 1) / FILLER.length)).slice(0, bytes);
  return (n) => {
    const number = `${n} `;
    return number.length >= bytes ? filler : number + filler.slice(0, bytes - number.length);
  };
}

/**
 * `!stream COUNT BYTES DELAY_MS`: COUNT messages, each with BYTES bytes of text. With partials they are deltas of blocks
 * of at most 256 KiB, each closed by its assistant message; without, every piece is an assistant message of its own.
 */
export async function stream(
  { count, bytes, delayMs }: { count: number; bytes: number; delayMs: number },
  turn: TurnScope,
): Promise<void> {
  const { includePartials } = turn.context;
  const text = texts(bytes);
  const perBlock = includePartials ? Math.max(1, Math.floor(BLOCK_BYTES / bytes)) : 1;
  const message = openMessage(turn);
  let block = "";
  for (let n = 0; n < count; n++) {
    if (n % perBlock === 0) await message.startBlock(TEXT);
    const piece = text(n);
    block += piece;
    const full = message.delta(TEXT, piece);
    if (full) await full;
    if (n % perBlock === perBlock - 1 || n === count - 1) {
      await message.endBlock(TEXT, { type: "text", text: block });
      block = "";
    }
    if (delayMs > 0) await wait(delayMs, undefined, { signal: turn.signal });
    else if (n % BREATHE_EVERY === BREATHE_EVERY - 1) await nextTick();
    turn.signal.throwIfAborted();
  }
  turn.meter.wrote(count * bytes);
  turn.said.push(`${count} pieces of ${bytes} bytes`);
  await message.end("end_turn");
}
