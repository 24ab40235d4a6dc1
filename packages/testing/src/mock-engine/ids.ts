import { createHash } from "node:crypto";

/** Ids that are the same in every run: they depend on the session and on how much history it has. */
export class Ids {
  readonly #prefix: string;
  #uuids = 0;
  #messages = 0;
  #calls = 0;

  constructor(engineSessionId: string, historyLines: number) {
    this.#prefix = digest(`${engineSessionId}:${historyLines}`);
  }

  uuid(): string {
    const p = this.#prefix;
    this.#uuids++;
    return `${p.slice(0, 8)}-${p.slice(8, 12)}-8${p.slice(13, 16)}-8${p.slice(17, 20)}-${this.#uuids.toString(16).padStart(12, "0")}`;
  }

  message(): string {
    return `msg_${this.#prefix.slice(0, 12)}_${++this.#messages}`;
  }

  call(): string {
    return `toolu_${this.#prefix.slice(0, 12)}_${++this.#calls}`;
  }
}

/** The engine's own session id for a session of the host: shaped as a UUID. */
export function engineSessionIdFor(sessionId: string): string {
  const d = digest(`session:${sessionId}`);
  return `${d.slice(0, 8)}-${d.slice(8, 12)}-8${d.slice(13, 16)}-8${d.slice(17, 20)}-${d.slice(20, 32)}`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
