import type { NewEvent } from "@computeragent/protocol";

/** The bytes of several events in order, numbered from `firstSeq` on. `data` is JSON text, so it holds no line break. */
export function encodeFrames(events: readonly NewEvent[], firstSeq: number): Uint8Array {
  let seq = firstSeq;
  let text = "";
  for (const { type, data } of events) text += `id: ${seq++}\nevent: ${type}\ndata: ${data}\n\n`;
  return Buffer.from(text, "utf8");
}

/** A frame without an id: it never moves a client's cursor. */
export function controlFrame(type: string, data: unknown): Uint8Array {
  return Buffer.from(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`, "utf8");
}

/** A comment that keeps proxies from cutting a silent stream. */
export const HEARTBEAT: Uint8Array = Buffer.from(": keep-alive\n\n", "utf8");
