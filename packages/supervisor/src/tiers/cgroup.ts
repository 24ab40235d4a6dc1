import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Cell, Containment, Probed } from "./containment.ts";

/** Joins the group before the engine begins; the pid stays the same. */
const JOIN = 'echo 0 > "$1/cgroup.procs" || exit 126; shift; exec "$@"';
const CLEAR_MS = 8_000;

/** Makes a group below our own, kills a process in it, removes it. */
export async function probeCgroup(incarnation: string): Promise<Probed> {
  try {
    const base = ownGroup();
    if (base === undefined) return { reason: "no cgroup v2 hierarchy is mounted" };
    const containment = cgroupContainment(join(base, `computeragent-${incarnation}-`));
    const reason = await tryOnce(containment);
    return reason === undefined ? { containment } : { reason };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

async function tryOnce(containment: Containment): Promise<string | undefined> {
  const cell = containment.cell("/bin/sh", ["-c", "echo; exec sleep 60"]);
  const child = spawn(cell.command, cell.args, { cwd: "/", stdio: ["ignore", "pipe", "ignore"], detached: true });
  const ended = once(child, "exit");
  try {
    const [started] = await Promise.race([once(child.stdout, "data"), ended]);
    const cleared = await cell.clear({ code: null, signal: null });
    if (!(started instanceof Buffer)) return "a process cannot join a group below ours";
    return cleared ? undefined : "cgroup.kill does not work (Linux 5.14 or later is needed)";
  } finally {
    child.kill("SIGKILL");
    await ended;
    await cell.clear({ code: null, signal: null });
  }
}

function cgroupContainment(cgroupPrefix: string): Containment {
  return {
    tier: "cgroup",
    cgroupPrefix,
    cell: (command, args): Cell => {
      const group = `${cgroupPrefix}${randomUUID()}`;
      mkdirSync(group);
      return {
        command: "/bin/sh",
        args: ["-c", JOIN, "sh", group, command, ...args],
        inner: (pid) => pid,
        exit: (raw) => raw,
        clear: () => clearGroup(group),
      };
    },
  };
}

/** Kills all in the group and removes it. False when something stays in it for longer than 8 s. */
async function clearGroup(group: string): Promise<boolean> {
  const deadline = performance.now() + CLEAR_MS;
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    try {
      writeFileSync(join(group, "cgroup.kill"), "1");
      removeGroup(group);
      return true;
    } catch {
      if (!existsSync(group)) return true;
      if (!existsSync(join(group, "cgroup.kill"))) return removeEmpty(group);
      if (performance.now() > deadline) return false;
    }
    await delay(pause);
  }
}

/** For kernels without `cgroup.kill`, where a group can only be given up. */
function removeEmpty(group: string): boolean {
  try {
    removeGroup(group);
  } catch {
    // a process is still in it
  }
  return false;
}

/** Removes a group and those that the engine made below it. Throws EBUSY while a process is in one. */
function removeGroup(group: string): void {
  for (const entry of readdirSync(group, { withFileTypes: true })) {
    if (entry.isDirectory()) removeGroup(join(group, entry.name));
  }
  rmdirSync(group);
}

/** Folder of our own cgroup in the mounted v2 hierarchy. */
function ownGroup(): string | undefined {
  const own = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
  for (const line of readFileSync("/proc/self/mountinfo", "utf8").split("\n")) {
    const [left = "", right = ""] = line.split(" - ");
    const [, , , root, mountPoint] = left.split(" ");
    if (!right.startsWith("cgroup2 ") || own === undefined || root === undefined || mountPoint === undefined) continue;
    const below = relative(root, own);
    return below.startsWith("..") ? mountPoint : join(mountPoint, below);
  }
  return undefined;
}
