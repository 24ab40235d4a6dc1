import type { NewEvent, StoredEvent } from "@computeragent/protocol";

/** A block ends when its data is longer than this, in UTF-16 units: whoever reads takes a block apart as a whole. */
const BLOCK_LENGTH = 256 * 1024;

/** Events that lie side by side in the file: how many, and the JSON of an array of `[type, at, data]`. */
export interface Block {
  readonly count: number;
  readonly events: string;
}

type Row = readonly [type: string, at: number, data: string];

/** Puts events into blocks, in order. */
export function blocksOf(events: readonly NewEvent[]): Block[] {
  const blocks: Block[] = [];
  let rows: Row[] = [];
  let length = 0;
  const end = (): void => {
    if (rows.length > 0) blocks.push({ count: rows.length, events: JSON.stringify(rows) });
    rows = [];
    length = 0;
  };
  for (const { type, at, data } of events) {
    rows.push([type, at, data]);
    length += data.length;
    if (length > BLOCK_LENGTH) end();
  }
  end();
  return blocks;
}

/** The events of a block that begins with number `first`. */
export function eventsOf(events: string, first: number): StoredEvent[] {
  return (JSON.parse(events) as Row[]).map(([type, at, data], i) => ({ seq: first + i, type, data, at }));
}
