import type { BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { WireError } from "@computeragent/protocol";
import { chunksOf, openPinned, readStart } from "./descriptors.ts";
import { type Digests, sha256 } from "./digests.ts";
import type { Jail } from "./jail.ts";
import { parsePath, quote, toText } from "./rel-path.ts";

const HEAD_BYTES = 64 * 1024;
const CHUNK = 256 * 1024;

/** A regular file held open: what is read is this inode, whatever happens to its name. Close it, or let a `stream` end. */
export interface OpenedFile extends AsyncDisposable {
  /** Its last name, for the type by extension. */
  readonly name: string;
  /** Bytes at the time of opening. */
  readonly size: number;
  readonly mtimeMs: number;
  /** The first bytes, at most 64 KiB. */
  readonly head: Uint8Array;
  /** The strong validator, without quotes: SHA-256 up to 16 MiB, above a tag of inode, size and times. */
  tag(): Promise<string>;
  /** True when `tag` names this content: its validator, or its SHA-256 whatever the size. */
  hasTag(tag: string): Promise<boolean>;
  /** True when the whole content is UTF-8; reads all of it. */
  isUtf8(): Promise<boolean>;
  /** The bytes from `start` up to, not including, `end`. Closes the file at its end, on cancel and on error. */
  stream(start: number, end: number): ReadableStream<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/** Opens a file for reading; links are followed inside the workspace. Throws NOT_FOUND, NOT_A_FILE, PATH_ESCAPE. */
export async function openFile(jail: Jail, digests: Digests, path: string): Promise<OpenedFile> {
  const rel = parsePath(path);
  const { pin, stat: kind } = await jail.find(rel);
  await using _pin = pin;
  if (!kind.isFile()) throw new WireError("NOT_A_FILE", `${quote(rel.shown)} is not a regular file`);
  const file = await openPinned(pin);
  try {
    const stat = await file.stat({ bigint: true });
    const wanted = Math.min(HEAD_BYTES, Number(stat.size));
    const head = await readStart(file, wanted);
    const whole = head.length < wanted || BigInt(wanted) === stat.size;
    const common = { name: toText(rel.names.at(-1) ?? ""), mtimeMs: Number(stat.mtimeMs), head };
    return whole ? { ...common, ...inMemory(file, head) } : { ...common, ...onDisk(file, stat, digests) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

type Content = Omit<OpenedFile, "name" | "mtimeMs" | "head">;

/** A file whose head is all of it: tag and bytes come from one read, so they always belong together. */
function inMemory(file: FileHandle, bytes: Buffer<ArrayBuffer>): Content {
  const close = () => file.close();
  return {
    size: bytes.length,
    tag: async () => sha256(bytes),
    hasTag: async (tag) => tag === sha256(bytes),
    isUtf8: () => decodes([bytes]),
    stream: (start, end) => byteStream(async (position) => bytes.subarray(position, end), start, end, close),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function onDisk(file: FileHandle, stat: BigIntStats, digests: Digests): Content {
  const size = Number(stat.size);
  const close = () => file.close();
  const read = async (position: number, length: number) => {
    const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK, length));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
    return chunk.subarray(0, bytesRead);
  };
  return {
    size,
    tag: () => digests.tag(file, stat),
    hasTag: (tag) => digests.has(tag, file, stat),
    isUtf8: () => decodes(chunksOf(file, size)),
    stream: (start, end) => byteStream(read, start, end, close),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function byteStream(
  read: (position: number, length: number) => Promise<Uint8Array<ArrayBuffer>>,
  start: number,
  end: number,
  close: () => Promise<void>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let position = start;
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
    try {
      if (position < end) {
        const chunk = await read(position, end - position);
        if (chunk.length === 0) throw new Error("The file became shorter while it was read");
        position += chunk.length;
        controller.enqueue(chunk);
      }
    } catch (error) {
      await close();
      throw error;
    }
    if (position < end) return;
    await close();
    controller.close();
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>({ pull, cancel: close }, { highWaterMark: 0 });
}

async function decodes(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of chunks) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
