import { type Principal, WireError } from "@computeragent/protocol";
import type { Session } from "./session.ts";

/** The sessions of a host: ids are reserved before anything is made, so two creates can never share one. */
export class SessionRegistry {
  readonly #sessions = new Map<string, Session>();
  readonly #reserved = new Set<string>();
  #streams = 0;

  /** Reserves an id; throws SESSION_EXISTS if a live session has it. Call the returned function when the create is over. */
  reserve(id: string): () => void {
    const known = this.#sessions.get(id);
    if (this.#reserved.has(id) || (known && !known.ended)) {
      throw new WireError("SESSION_EXISTS", "a session with this id exists; delete it or choose another id");
    }
    this.#reserved.add(id);
    return () => void this.#reserved.delete(id);
  }

  add(session: Session): void {
    this.#reserved.delete(session.id);
    this.#sessions.set(session.id, session);
  }

  remove(session: Session): void {
    if (this.#sessions.get(session.id) === session) this.#sessions.delete(session.id);
  }

  /** The session, if the principal may see it; a foreign one is NOT_FOUND like a missing one. */
  find(id: string, principal: Principal): Session | undefined {
    const session = this.#sessions.get(id);
    if (!session) return undefined;
    return mayUse(session, principal) ? session : undefined;
  }

  /** As `find`, but throws NOT_FOUND. */
  get(id: string, principal: Principal): Session {
    const session = this.find(id, principal);
    if (!session) throw new WireError("NOT_FOUND", "no session with this id");
    return session;
  }

  all(): Session[] {
    return [...this.#sessions.values()];
  }

  /** Sessions that hold an engine or are being made. */
  get live(): number {
    let live = this.#reserved.size;
    for (const session of this.#sessions.values()) if (!session.ended) live++;
    return live;
  }

  nextStream(): number {
    return ++this.#streams;
  }
}

/** Sessions belong to the principal that made them; administrators see all. */
export function mayUse(session: Session, principal: Principal): boolean {
  return principal.scopes.includes("admin") || session.parts.spec.principal.id === principal.id;
}
