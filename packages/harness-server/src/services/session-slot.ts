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

/** What a caller wants a slot for. */
interface Wanted {
  readonly id: string | undefined;
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

type Make = (slot: Slot) => Promise<Session>;

/**
 * Makes a session under an id that nobody else can take meanwhile. An ended session of the caller with this id makes
 * room once the new one stands; a session that cannot be made leaves nothing behind.
 */
export async function inSlot(host: Host, wanted: Wanted, make: Make): Promise<Session> {
  requireOpenHost(host);
  const making = makeInSlot(host, wanted, make);
  host.creating.add(making);
  try {
    return await making;
  } finally {
    host.creating.delete(making);
  }
}

async function makeInSlot(host: Host, wanted: Wanted, make: Make): Promise<Session> {
  const { maxLiveSessions } = host.config.limits;
  const id = wanted.id ?? newId("sess");
  const { stream, former, release } = host.registry.reserve(id, wanted.principal);
  const owned: string[] = [];
  try {
    if (host.registry.live > maxLiveSessions) {
      throw new WireError("LIMIT_REACHED", `${maxLiveSessions} sessions are live already`);
    }
    const signal = AbortSignal.any([wanted.signal, host.closing]);
    const session = await make({ id, stream, owned, signal });
    if (former) await removeFormer(host, former);
    return session;
  } catch (error) {
    await removeDirs(host, owned);
    requireOpenHost(host);
    throw error;
  } finally {
    release();
  }
}

async function removeFormer(host: Host, former: Session): Promise<void> {
  await purgeSession(host, former).catch((error: unknown) => {
    host.config.logger.error({ err: error, sessionId: former.id }, "a former session could not be removed");
  });
}

function requireOpenHost(host: Host): void {
  if (host.closing.aborted) throw new WireError("DRAINING", "the host is shutting down");
}
