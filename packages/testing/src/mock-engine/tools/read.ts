import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { pathOf } from "./input.ts";
import type { Tool } from "./tool.ts";

const MOST_BYTES = 262_144;

/** Reads a text file; at most 256 KiB. */
export const read: Tool = async (input, turn) => {
  const handle = await open(pathOf(input, turn), constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error("not a regular file");
    const buffer = Buffer.alloc(Math.min(stat.size, MOST_BYTES));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    const more = stat.size - bytesRead;
    return { text: buffer.toString("utf8", 0, bytesRead) + (more > 0 ? `\n[${more} bytes more]` : "") };
  } finally {
    await handle.close();
  }
};
