import type { StoredEvent } from "@computeragent/protocol";

/** The SSE text of one numbered event. `data` is JSON text, so it holds no line break. */
export function frameText(event: StoredEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${event.data}\n\n`;
}

/** The bytes of several numbered events, in order. */
export function encodeFrames(events: readonly StoredEvent[]): Uint8Array {
  let text = "";
  for (const event of events) text += frameText(event);
  return Buffer.from(text, "utf8");
}

/** A frame without an id: it never moves a client's cursor. */
export function controlFrame(type: string, data: unknown): Uint8Array {
  return Buffer.from(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`, "utf8");
}

/** A comment that keeps proxies from cutting a silent stream. */
export const HEARTBEAT: Uint8Array = Buffer.from(": keep-alive\n\n", "utf8");
