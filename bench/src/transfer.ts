import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";

const CHUNK = 1024 * 1024;
const MIB = 1024 * 1024;

/** One direction of a transfer. `peakMiB`: the most resident memory of the server during it, above what it had before. */
export interface Transfer {
  readonly bytes: number;
  readonly seconds: number;
  readonly mibPerSecond: number;
  readonly peakMiB: number;
  /** SHA-256 in hex of what went over the wire. */
  readonly sha: string;
}

/** A server to measure, and where in it. */
export interface Place {
  readonly pid: number;
  /** The whole URL of the file route, with its query. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** PUTs `bytes` of changing content as a stream, as fast as the server takes it. */
export function upload(place: Place, bytes: number): Promise<Transfer> {
  return measured(place.pid, bytes, async (hash) => {
    const response = await send(place, "PUT", content(bytes, hash));
    const answer = JSON.parse((await response.toArray()).join(""));
    if (answer.size !== bytes) throw new Error(`the server wrote ${answer.size} of ${bytes} bytes`);
    return answer.sha;
  });
}

/** GETs a file and drops it, as fast as the server gives it. */
export function download(place: Place, bytes: number): Promise<Transfer> {
  return measured(place.pid, bytes, async (hash) => {
    let got = 0;
    for await (const chunk of await send(place, "GET")) {
      got += chunk.length;
      hash.update(chunk);
    }
    if (got !== bytes) throw new Error(`the server sent ${got} of ${bytes} bytes`);
    return undefined;
  });
}

async function send({ url, headers }: Place, method: string, body?: Readable): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const client = request(url, { method, headers: { ...headers } }, resolve);
  client.on("error", reject);
  if (body) await Promise.race([pipeline(body, client), promise]);
  else client.end();
  const response = await promise;
  if (response.statusCode !== 200) throw new Error(`${method}: ${response.statusCode} ${await response.toArray()}`);
  return response;
}

function content(bytes: number, hash: ReturnType<typeof createHash>): Readable {
  const chunk = Buffer.alloc(CHUNK, "0123456789abcdef");
  let sent = 0;
  return new Readable({
    highWaterMark: CHUNK,
    read() {
      if (sent >= bytes) return void this.push(null);
      const part = Buffer.from(chunk.subarray(0, Math.min(CHUNK, bytes - sent)));
      if (part.length >= 8) part.writeBigUInt64LE(BigInt(sent));
      sent += part.length;
      hash.update(part);
      this.push(part);
    },
  });
}

async function measured(
  pid: number,
  bytes: number,
  work: (hash: ReturnType<typeof createHash>) => Promise<string | undefined>,
): Promise<Transfer> {
  await sleep(500);
  await resetPeak(pid);
  const before = await statusMiB(pid, "VmRSS");
  const hash = createHash("sha256");
  const startedAt = performance.now();
  const told = await work(hash);
  const seconds = (performance.now() - startedAt) / 1000;
  const sha = hash.digest("hex");
  if (told !== undefined && told !== sha) throw new Error("what arrived is not what was sent");
  const peakMiB = (await statusMiB(pid, "VmHWM")) - before;
  const figures = { seconds, mibPerSecond: bytes / MIB / seconds, peakMiB };
  const rounded = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(1))]));
  return { bytes, sha, ...(rounded as typeof figures) };
}

/** Lets the kernel forget the most memory that a process has had. */
async function resetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, "5");
}

async function statusMiB(pid: number, field: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
}
