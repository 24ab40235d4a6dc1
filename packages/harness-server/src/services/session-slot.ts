import { newId, type Principal, WireError } from "@computeragent/protocol";
import type { Session } from "../session/session.ts";
import type { Host } from "./host.ts";
import { purgeSession } from "./purge-session.ts";
import { removeDirs } from "./remove-dirs.ts";

/** What a session in the making is given. */
export interface Slot {
  readonly id: string;
  readonly stream: number;
  /** Folders that the host made for it: put them here as soon as they are made. */
  readonly owned: string[];
  /** Aborted when the caller leaves or the host shuts down. */
  readonly signal: AbortSignal;
}

/**
 * Makes a session under an id that nobody else can take meanwhile. An ended session of the caller with this id makes
 * room once the new one stands; a session that cannot be made leaves nothing behind.
 */
export async function inSlot(
  host: Host,
  wanted: { readonly id: string | undefined; readonly principal: Principal; readonly signal: AbortSignal },
  make: (slot: Slot) => Promise<Session>,
): Promise<Session> {
  const { maxLiveSessions } = host.config.limits;
  const id = wanted.id ?? newId("sess");
  requireOpenHost(host);
  const { stream, former, release } = host.registry.reserve(id, wanted.principal);
  const owned: string[] = [];
  const work = async (): Promise<Session> => {
    if (host.registry.live > maxLiveSessions) {
      throw new WireError("LIMIT_REACHED", `${maxLiveSessions} sessions are live already`);
    }
    const session = await make({ id, stream, owned, signal: AbortSignal.any([wanted.signal, host.closing]) });
    if (former) {
      await purgeSession(host, former).catch((error: unknown) => {
        host.config.logger.error({ err: error, sessionId: id }, "a former session could not be removed");
      });
    }
    return session;
  };
  const making = work();
  host.creating.add(making);
  try {
    return await making;
  } catch (error) {
    await removeDirs(host, owned);
    requireOpenHost(host);
    throw error;
  } finally {
    release();
    host.creating.delete(making);
  }
}

function requireOpenHost(host: Host): void {
  if (host.closing.aborted) throw new WireError("DRAINING", "the host is shutting down");
}
