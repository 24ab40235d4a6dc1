import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { CHILD_VARIABLE } from "./markers.ts";

/**
 * Arguments: the needle, the prefix of cgroups (may be empty). Blocks until the host is gone, that is, until the only
 * write end of its stdin is closed; then kills cgroups, marked processes, their process groups and descendants until
 * three looks in a row find nothing. The line "done" ends it without a sweep. Plain sh with grep and /proc.
 */
const SCRIPT = `
trap '' HUP INT TERM
needle=$1 prefix=$2
while read -r line; do [ "$line" = done ] && exit 0; done
marked() {
  if printf 'a\\0b\\0' | grep -qzF b 2>/dev/null; then
    printf '%s\\n' /proc/[0-9]*/environ | xargs grep -lzsF -e "$needle" 2>/dev/null
  else
    for e in /proc/[0-9]*/environ; do tr '\\0' '\\n' <"$e" 2>/dev/null | grep -qF -e "$needle" && echo "$e"; done
  fi
}
kill_groups() {
  [ -n "$prefix" ] || return 0
  for d in "$prefix"*; do [ -d "$d" ] && echo 1 >"$d/cgroup.kill"; done 2>/dev/null
}
quiet=0 round=0
while [ $quiet -lt 3 ] && [ $round -lt 200 ]; do
  round=$((round + 1))
  kill_groups
  queue= all=
  for e in $(marked); do p=\${e#/proc/}; queue="$queue \${p%/*}"; done
  if [ -z "$queue" ]; then quiet=$((quiet + 1)); else quiet=0; fi
  while [ -n "$queue" ]; do
    next=
    for p in $queue; do
      all="$all $p"
      line=
      read -r line 2>/dev/null <"/proc/$p/stat"
      set -- \${line##*) }
      [ "\${3:-0}" -gt 1 ] && all="$all -$3"
      for f in /proc/"$p"/task/*/children; do
        children=
        read -r children 2>/dev/null <"$f"
        next="$next \${children% }"
      done
    done
    queue=\${next#"\${next%%[! ]*}"}
  done
  [ -n "$all" ] && kill -s KILL $all 2>/dev/null
  sleep 0.05
done 2>/dev/null
[ -n "$prefix" ] && for d in "$prefix"*; do find "$d" -depth -type d -exec rmdir {} \\; ; done 2>/dev/null
exit 0
`;

/** A shell that outlives the host and then kills what the host has left. */
export interface Watchdog {
  /** Ends it; unless `clean`, it sweeps first. */
  close(clean: boolean): Promise<void>;
}

/** Starts the watchdog of all children whose tag begins with `${incarnation}.`; starts it anew should it be killed. */
export async function startWatchdog(
  incarnation: string,
  cgroupPrefix: string | undefined,
  cwd: string,
): Promise<Watchdog> {
  let closing = false;
  let current = launch(incarnation, cgroupPrefix, cwd);
  const renew = async (startedAt: number): Promise<void> => {
    if (closing) return;
    if (performance.now() - startedAt < 1_000) await delay(1_000, undefined, { ref: false });
    if (closing) return;
    current = launch(incarnation, cgroupPrefix, cwd);
    watch(current);
  };
  const watch = (shell: ChildProcess): void => {
    const startedAt = performance.now();
    shell.once("exit", () => void renew(startedAt));
    shell.once("error", () => void renew(startedAt));
  };
  await once(current, "spawn");
  watch(current);
  return {
    close: async (clean) => {
      closing = true;
      if (current.pid === undefined || current.exitCode !== null || current.signalCode !== null) return;
      current.ref();
      const ended = once(current, "exit");
      current.stdin?.end(clean ? "done\n" : "");
      await ended;
    },
  };
}

function launch(incarnation: string, cgroupPrefix: string | undefined, cwd: string): ChildProcess {
  const needle = `${CHILD_VARIABLE}=${incarnation}.`;
  const shell = spawn("/bin/sh", ["-c", SCRIPT, "computeragent-watchdog", needle, cgroupPrefix ?? ""], {
    cwd,
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"],
    // A session of its own: neither Ctrl-C nor the death of the host's group reaches it.
    detached: true,
  });
  shell.stdin.on("error", () => {});
  if ("unref" in shell.stdin && typeof shell.stdin.unref === "function") shell.stdin.unref();
  shell.unref();
  return shell;
}
