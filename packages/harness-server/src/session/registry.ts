import { type Principal, WireError } from "@computeragent/protocol";
import type { Session } from "./session.ts";

/** An id that nobody else can take until it is released. */
export interface Reservation {
  /** The stream number of the new session, never used before in this host. */
  readonly stream: number;
  /** An ended session of the caller that has this id now. */
  readonly former: Session | undefined;
  release(): void;
}

/** The sessions of a host: ids are reserved before anything is made, so two creates can never share one. */
export class SessionRegistry {
  readonly #sessions = new Map<string, Session>();
  readonly #reserved = new Set<string>();
  #streams = 0;

  /** Throws SESSION_EXISTS if a live session, or anything of somebody else, has the id. */
  reserve(id: string, principal: Principal): Reservation {
    const former = this.#sessions.get(id);
    if (this.#reserved.has(id) || (former && !(former.ended && mayUse(former, principal)))) {
      throw new WireError("SESSION_EXISTS", "a session with this id exists; delete it or choose another id");
    }
    this.#reserved.add(id);
    return { stream: ++this.#streams, former, release: () => void this.#reserved.delete(id) };
  }

  add(session: Session): void {
    this.#sessions.set(session.id, session);
  }

  remove(session: Session): void {
    if (this.#sessions.get(session.id) === session) this.#sessions.delete(session.id);
  }

  /** The session, if the principal may see it: a foreign one is as good as missing. */
  find(id: string, principal: Principal): Session | undefined {
    const session = this.#sessions.get(id);
    return session && mayUse(session, principal) ? session : undefined;
  }

  all(): Session[] {
    return [...this.#sessions.values()];
  }

  /** Sessions that hold an engine, or will. */
  get live(): number {
    let live = this.#reserved.size;
    for (const session of this.#sessions.values()) if (!session.ended && !this.#reserved.has(session.id)) live++;
    return live;
  }
}

/** Sessions belong to the principal that made them; administrators see all. */
export function mayUse(session: Session, principal: Principal): boolean {
  return principal.scopes.includes("admin") || session.parts.spec.principal.id === principal.id;
}
