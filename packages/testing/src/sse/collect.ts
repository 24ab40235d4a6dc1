import { within } from "../contract/within.ts";
import type { SseFrame } from "./frame.ts";

const PATIENCE_MS = 20_000;

/** `sdk_message×12 ca_turn_ended`: what came, for error messages. */
export function outline(frames: readonly SseFrame[]): string {
  const parts: { name: string; count: number }[] = [];
  for (const { event, comment } of frames) {
    const name = comment === undefined ? event : ":comment";
    const last = parts.at(-1);
    if (last?.name === name) last.count++;
    else parts.push({ name, count: 1 });
  }
  return parts.map((p) => (p.count > 1 ? `${p.name}×${p.count}` : p.name)).join(" ") || "nothing";
}

/** Takes frames up to and including the first that `last` accepts. Leaves the iterator open for more. */
export async function collectUntil(
  frames: AsyncIterator<SseFrame>,
  last: (frame: SseFrame) => boolean,
  timeoutMs: number = PATIENCE_MS,
): Promise<SseFrame[]> {
  const taken: SseFrame[] = [];
  const take = async (): Promise<void> => {
    for (;;) {
      const { value, done } = await frames.next();
      if (done) throw new Error(`the stream ended too early, after: ${outline(taken)}`);
      taken.push(value);
      if (last(value)) return;
    }
  };
  await within(timeoutMs, "the last frame", take()).catch((error: unknown) => {
    throw new Error(`${error instanceof Error ? error.message : String(error)}; came: ${outline(taken)}`, {
      cause: error,
    });
  });
  return taken;
}

/** The first frame that `wanted` accepts; the ones before it are dropped. Leaves the iterator open. */
export async function waitForEvent(
  frames: AsyncIterator<SseFrame>,
  wanted: (frame: SseFrame) => boolean,
  timeoutMs?: number,
): Promise<SseFrame> {
  const taken = await collectUntil(frames, wanted, timeoutMs);
  const found = taken.at(-1);
  if (!found) throw new Error("nothing was taken");
  return found;
}
