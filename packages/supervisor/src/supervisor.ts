import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { ManagedChild, type Started } from "./child.ts";
import { InvalidSpawnError, SupervisorClosedError } from "./errors.ts";
import { CHILD_VARIABLE, OWNER_VARIABLE } from "./markers.ts";
import { scanOwner } from "./owned.ts";
import { reap } from "./reap.ts";
import { resolveCommand } from "./resolve-command.ts";
import { findTagged } from "./scan.ts";
import type { Containment } from "./tiers/containment.ts";
import type { ChildInfo, ContainmentTier, SpawnRequest, SupervisedChild, Supervisor, TierProbe } from "./types.ts";
import type { Watchdog } from "./watchdog.ts";

const SESSION_ID = /^[\x21-\x7e]{1,200}$/;
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What a running supervisor stands on. `incarnation`: unique to it. */
export interface SupervisorParts {
  readonly hostId: string;
  readonly incarnation: string;
  readonly containment: Containment;
  readonly tiers: readonly TierProbe[];
  readonly watchdog: Watchdog;
}

interface Entry {
  readonly child: ManagedChild;
  readonly sessionId: string;
  readonly command: string;
  readonly startedAt: number;
}

/** The only implementation of {@link Supervisor}. */
export class LocalSupervisor implements Supervisor {
  readonly hostId: string;
  readonly tier: ContainmentTier;
  readonly tiers: readonly TierProbe[];
  readonly #parts: SupervisorParts;
  /** Children until nothing of them is left. */
  readonly #entries = new Set<Entry>();
  #count = 0;
  #closing: Promise<void> | undefined;

  constructor(parts: SupervisorParts) {
    this.hostId = parts.hostId;
    this.tier = parts.containment.tier;
    this.tiers = parts.tiers;
    this.#parts = parts;
  }

  spawn(request: SpawnRequest): SupervisedChild {
    const child = new ManagedChild(this.#start(request));
    const { sessionId, command } = request;
    const entry: Entry = { child, sessionId, command, startedAt: Date.now() };
    this.#entries.add(entry);
    const forget = (): void => void this.#entries.delete(entry);
    child.gone.then(forget, forget);
    return child;
  }

  async killSession(sessionId: string): Promise<void> {
    const children = [...this.#entries].filter((entry) => entry.sessionId === sessionId).map(({ child }) => child);
    for (const child of children) child.kill("SIGKILL");
    await reap(() => scanOwner({ hostId: this.hostId, sessionId }));
    await Promise.all(children.map((child) => child.gone));
  }

  children(sessionId?: string): readonly ChildInfo[] {
    const infos: ChildInfo[] = [];
    for (const { child, ...entry } of this.#entries) {
      const ended = child.exitCode !== null || child.signalCode !== null;
      if (child.pid === undefined || ended || (sessionId !== undefined && entry.sessionId !== sessionId)) continue;
      infos.push({ ...entry, pid: child.pid });
    }
    return infos;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const stops = await Promise.allSettled([...this.#entries].map(({ child }) => child.stop()));
    const sweep = await Promise.allSettled([reap(() => findTagged(`${this.#parts.incarnation}.`))]);
    const failed = [...stops, ...sweep].find((result) => result.status === "rejected");
    await this.#parts.watchdog.close(failed === undefined);
    if (failed) throw failed.reason;
  }

  #start(request: SpawnRequest): Started {
    try {
      if (this.#closing) throw new SupervisorClosedError();
      if (!SESSION_ID.test(request.sessionId))
        throw new InvalidSpawnError("sessionId must be 1 to 200 visible ASCII characters");
      this.#count += 1;
      const tag = `${this.#parts.incarnation}.${this.#count}`;
      const env: Record<string, string> = {};
      for (const [name, value] of Object.entries(request.env)) {
        if (value !== undefined && VARIABLE_NAME.test(name)) env[name] = value;
      }
      env[OWNER_VARIABLE] = `${this.hostId}:${request.sessionId}`;
      env[CHILD_VARIABLE] = tag;
      if (!statSync(request.cwd, { throwIfNoEntry: false })?.isDirectory()) {
        throw new InvalidSpawnError(`cwd is no folder: ${request.cwd}`);
      }
      const command = resolveCommand(request.command, request.cwd, env.PATH);
      if (!command) throw commandNotFound(request);
      const cell = this.#parts.containment.cell(command, request.args);
      try {
        const options = { cwd: request.cwd, env, stdio: "pipe", detached: true } as const;
        return { process: spawn(cell.command, cell.args, options), cell, tag };
      } catch (error) {
        void cell.clear({ code: null, signal: null });
        throw error;
      }
    } catch (error) {
      return { error: error instanceof Error ? error : new Error(String(error)) };
    }
  }
}

function commandNotFound(request: SpawnRequest): Error {
  const error = new Error(`spawn ${request.command} ENOENT: no such executable`);
  return Object.assign(error, { code: "ENOENT", syscall: `spawn ${request.command}`, path: request.command });
}
