import { connect } from "node:net";

/**
 * A process of readers: `node readers.ts URL COUNT END ENDS`. Connects, prints `ready` when all have an answer, then one JSON
 * line for each of ENDS times that all readers saw the event END: when the last one did, and over all readers the fewest
 * and most frames since the line before, and how many ids are missing (ids are taken as contiguous).
 */
const [url = "", count = "1", end = "end", ends = "1"] = process.argv.slice(2);
const target = new URL(url);
const endMark = `event: ${end}\n`;
const token = process.env.BENCH_TOKEN;

/** Comes now and then, and is no event. */
const KEEP_ALIVE = ": keep-alive";

interface Seen {
  readonly frames: number;
  readonly missing: number;
}

class Reader {
  readonly ready = Promise.withResolvers<void>();
  readonly #socket = connect(Number(target.port), target.hostname);
  #done = Promise.withResolvers<Seen>();
  #rest = "";
  #frames = 0;
  #before = -1;

  constructor() {
    const auth = token ? `authorization: Bearer ${token}\r\n` : "";
    this.#socket.write(`GET ${target.pathname}${target.search} HTTP/1.1\r\nhost: ${target.host}\r\n${auth}\r\n`);
    this.#socket.on("data", (chunk) => this.#read(this.#rest + chunk.toString("latin1")));
    this.#socket.on("error", (error) => this.#done.reject(error));
  }

  async take(): Promise<Seen> {
    const seen = await this.#done.promise;
    this.#done = Promise.withResolvers<Seen>();
    return seen;
  }

  stop(): void {
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.ready.resolve();
    let from = 0;
    for (let at = text.indexOf("\n\n"); at >= 0; at = text.indexOf("\n\n", from)) {
      if (!text.startsWith(KEEP_ALIVE, at - KEEP_ALIVE.length)) this.#frames++;
      from = at + 2;
    }
    this.#rest = text.slice(from);
    const mark = text.lastIndexOf(endMark, from);
    if (mark < 0) return;
    const id = Number(/id: (\d+)\n$/.exec(text.slice(Math.max(0, mark - 24), mark))?.[1]);
    this.#done.resolve({ frames: this.#frames, missing: id - this.#before - this.#frames });
    this.#before = id;
    this.#frames = 0;
  }
}

const all = Array.from({ length: Number(count) }, () => new Reader());
await Promise.all(all.map((reader) => reader.ready.promise));
console.log("ready");
for (let i = 0; i < Number(ends); i++) {
  const seen = await Promise.all(all.map((reader) => reader.take()));
  const frames = seen.map((one) => one.frames);
  const missing = seen.reduce((sum, one) => sum + Math.abs(one.missing), 0);
  console.log(JSON.stringify({ at: Date.now(), least: Math.min(...frames), most: Math.max(...frames), missing }));
}
for (const reader of all) reader.stop();
