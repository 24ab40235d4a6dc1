import { connect } from "node:net";

/**
 * A process of readers: `node readers.ts URL COUNT END`. Connects, prints `ready`, counts frames on every socket until a
 * frame of the event END came, and prints one JSON line: frames per reader, and when the last one was done.
 */
const [url = "", count = "1", end = "end"] = process.argv.slice(2);
const target = new URL(url);
const endMark = Buffer.from(`event: ${end}\n`);
const token = process.env.BENCH_TOKEN;

function follow(): { ready: Promise<void>; done: Promise<number> } {
  const ready = Promise.withResolvers<void>();
  const done = Promise.withResolvers<number>();
  const socket = connect(Number(target.port), target.hostname, () => {
    const auth = token ? `authorization: Bearer ${token}\r\n` : "";
    socket.write(`GET ${target.pathname}${target.search} HTTP/1.1\r\nhost: ${target.host}\r\n${auth}\r\n`);
  });
  let frames = 0;
  let previous = 0;
  let tail = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    ready.resolve();
    for (const byte of chunk) {
      if (byte === 10 && previous === 10) frames++;
      previous = byte;
    }
    const seam = Buffer.concat([tail, chunk.subarray(0, endMark.length)]);
    if (chunk.includes(endMark) || seam.includes(endMark)) {
      done.resolve(frames);
      socket.destroy();
    }
    tail = Buffer.from(chunk.subarray(-endMark.length));
  });
  socket.on("error", done.reject);
  return { ready: ready.promise, done: done.promise };
}

const all = Array.from({ length: Number(count) }, follow);
await Promise.all(all.map((reader) => reader.ready));
console.log("ready");
const frames = await Promise.all(all.map((reader) => reader.done));
console.log(JSON.stringify({ at: Date.now(), least: Math.min(...frames), most: Math.max(...frames) }));
