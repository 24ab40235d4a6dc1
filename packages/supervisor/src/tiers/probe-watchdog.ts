import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { CHILD_VARIABLE } from "../markers.ts";
import { settledWithin } from "../waiting.ts";
import { startWatchdog } from "../watchdog.ts";
import type { Probed } from "./containment.ts";
import { plainContainment } from "./plain.ts";

const SWEEP_MS = 10_000;

/** Lets a watchdog sweep one marked process. */
export async function probeWatchdog(cwd: string): Promise<Probed> {
  const incarnation = `probe-${randomUUID()}`;
  try {
    const watchdog = await startWatchdog(incarnation, undefined, cwd);
    const env = { PATH: process.env.PATH, [CHILD_VARIABLE]: `${incarnation}.1` };
    const victim = spawn("/bin/sh", ["-c", "exec sleep 60"], { cwd: "/", env, stdio: "ignore", detached: true });
    const ended = once(victim, "exit");
    await once(victim, "spawn");
    void watchdog.close(false);
    const swept = await settledWithin(ended, SWEEP_MS);
    victim.kill("SIGKILL");
    return swept ? { containment: plainContainment } : { reason: "the watchdog does not find marked processes" };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}
