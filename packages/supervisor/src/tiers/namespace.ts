import { constants } from "node:os";
import { childrenOf } from "../process-tree.ts";
import { resolveCommand } from "../resolve-command.ts";
import type { Cell, Containment, Probed, RawExit } from "./containment.ts";
import { probeParentDeath } from "./probe-parent-death.ts";

/**
 * First process of the namespace. It waits for the engine and reaps what the engine's children leave behind: an
 * engine that is pid 1 itself collects zombies and is deaf to signals it does not handle. Fd 3 keeps the shell's
 * own "Killed" off the engine's stderr.
 */
const INIT = 'exec 3>&2 2>/dev/null; (exec "$@" 2>&3 3>&-); exit $?';

const UNSHARE_FORMS: readonly (readonly string[])[] = [[], ["--user", "--map-current-user"]];

/** Signals that a process does not turn into an exit code of its own, so that 128 + n means the signal. */
const FATAL = new Map<number, NodeJS.Signals>(
  (["SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL", "SIGSEGV", "SIGSYS"] as const).map((name) => [
    128 + constants.signals[name],
    name,
  ]),
);

/** Tries the PID namespace as root, then with a user namespace of its own. */
export async function probeNamespace(): Promise<Probed> {
  const path = process.env.PATH;
  const setpriv = resolveCommand("setpriv", "/", path);
  const unshare = resolveCommand("unshare", "/", path);
  if (!setpriv || !unshare) return { reason: `${setpriv ? "unshare" : "setpriv"} (util-linux) is not installed` };
  let reason = "";
  for (const form of UNSHARE_FORMS) {
    // "slave": what the host unmounts later is unmounted inside too, so that a session keeps no disk busy.
    const flags = [...form, "--pid", "--fork", "--kill-child=KILL", "--mount-proc", "--propagation", "slave"];
    const containment = namespaceContainment([setpriv, "--pdeathsig", "KILL", unshare, ...flags, "--"]);
    const problem = await probeParentDeath(containment);
    if (problem === undefined) return { containment };
    reason = problem;
  }
  return { reason };
}

function namespaceContainment([setpriv = "", ...flags]: readonly string[]): Containment {
  return {
    tier: "pid-namespace",
    cell: (command, args): Cell => ({
      command: setpriv,
      args: [...flags, "/bin/sh", "-c", INIT, "sh", command, ...args],
      inner: (pid) => {
        const [init] = childrenOf(pid);
        return init === undefined ? undefined : childrenOf(init)[0];
      },
      exit: engineExit,
      // Unless the wrapper was killed, its exit comes after the kernel has emptied the namespace.
      clear: async (raw) => raw.signal === null,
    }),
  };
}

function engineExit(raw: RawExit): RawExit {
  const signal = raw.code === null ? undefined : FATAL.get(raw.code);
  return signal ? { code: null, signal } : raw;
}
