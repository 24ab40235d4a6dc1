import { createInterface, type Interface } from "node:readline";

/** A terminal to ask on. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Asks questions on a terminal, line by line; lines that come faster than the questions are kept for the next one. */
export class Asker {
  readonly #reader: Interface;
  readonly #output: NodeJS.WritableStream;
  readonly #lines: string[] = [];
  #waiting: { resolve: (line: string) => void; reject: (reason: unknown) => void } | undefined;
  #over: unknown;

  constructor({ input, output }: Terminal, signal: AbortSignal) {
    this.#output = output;
    this.#reader = createInterface({ input, output, terminal: true });
    this.#reader.on("line", (line) => {
      if (this.#waiting) this.#waiting.resolve(line);
      else this.#lines.push(line);
      this.#waiting = undefined;
    });
    // In this mode the terminal sends no signal by itself: Ctrl-C means the same here as elsewhere.
    this.#reader.on("SIGINT", () => process.emit("SIGINT", "SIGINT"));
    this.#reader.on("close", () => this.#end(new Error("the input ended")));
    if (signal.aborted) this.#end(signal.reason);
    else signal.addEventListener("abort", () => this.#end(signal.reason), { once: true });
  }

  /** The next line, trimmed. Rejects when the signal aborts or the input ends. */
  async ask(question: string): Promise<string> {
    if (this.#over !== undefined) throw this.#over;
    this.#reader.setPrompt(question);
    this.#reader.prompt();
    const known = this.#lines.shift();
    if (known !== undefined) return known.trim();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#waiting = { resolve, reject };
    return (await promise).trim();
  }

  say(text: string): void {
    this.#output.write(`${text}\n`);
  }

  close(): void {
    this.#reader.close();
  }

  #end(reason: unknown): void {
    this.#over ??= reason;
    this.#waiting?.reject(reason);
    this.#waiting = undefined;
  }
}
