const CR_LF = Buffer.from("\r\n");
const HEAD_END = Buffer.from("\r\n\r\n");

/** What a raw HTTP/1.1 response has brought so far. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

function parseHead(text: string): RawResponse {
  const [statusLine = "", ...lines] = text.split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return { status: Number(statusLine.split(" ")[1]), headers };
}

/** Takes a raw HTTP/1.1 response apart: `feed` bytes from a socket, get the bytes of the body. Chunked or until the end. */
export class ResponseReader {
  response: RawResponse | undefined;
  /** True once a chunked body has come to its proper end. */
  complete = false;
  #rest: Buffer = Buffer.alloc(0);
  #left = 0;

  feed(bytes: Buffer): Buffer {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    if (!this.response) {
      const end = this.#rest.indexOf(HEAD_END);
      if (end === -1) return Buffer.alloc(0);
      this.response = parseHead(this.#rest.toString("latin1", 0, end));
      this.#rest = this.#rest.subarray(end + HEAD_END.length);
    }
    if (this.response.headers["transfer-encoding"] !== "chunked") {
      const body = this.#rest;
      this.#rest = Buffer.alloc(0);
      return body;
    }
    return this.#chunks();
  }

  #chunks(): Buffer {
    const parts: Buffer[] = [];
    let at = 0;
    while (!this.complete) {
      if (this.#left > 0) {
        const part = this.#rest.subarray(at, at + this.#left);
        if (part.length === 0) break;
        parts.push(part);
        at += part.length;
        this.#left -= part.length;
        continue;
      }
      const line = this.#rest.indexOf(CR_LF, at);
      if (line === -1) break;
      const size = this.#rest.toString("latin1", at, line);
      at = line + CR_LF.length;
      if (size === "") continue;
      this.#left = Number.parseInt(size, 16);
      if (Number.isNaN(this.#left)) throw new Error(`not a chunk size: ${size.slice(0, 40)}`);
      this.complete = this.#left === 0;
    }
    this.#rest = this.#rest.subarray(at);
    return Buffer.concat(parts);
  }
}
