import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { CHILD_VARIABLE } from "../markers.ts";
import { reap } from "../reap.ts";
import { findTagged } from "../scan.ts";
import { settledWithin } from "../waiting.ts";
import type { Containment } from "./containment.ts";

const START_MS = 10_000;
const DEATH_MS = 5_000;

/**
 * Lets a stand-in for the host start an engine that says its pid, kills the stand-in, and looks whether the engine
 * dies: whatever lives holds the pipe that it writes to. Answers what went wrong, or undefined.
 */
export async function probeParentDeath(containment: Containment): Promise<string | undefined> {
  const tag = `probe.${randomUUID()}`;
  const cell = containment.cell("/bin/sh", ["-c", 'echo "$PPID"; exec sleep 60']);
  const host = spawn("/bin/sh", ["-c", '"$@" & wait', "sh", cell.command, ...cell.args], {
    cwd: "/",
    env: { PATH: process.env.PATH, [CHILD_VARIABLE]: tag },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => host.stdout.once("end", resolve));
  let isOver = false;
  try {
    let errors = "";
    host.stderr.on("data", (chunk: Buffer) => {
      errors = (errors + chunk.toString("latin1")).slice(-500);
    });
    const parent = await new Promise<string>((resolve) => {
      const timer = setTimeout(resolve, START_MS, "");
      const done = (text: string): void => {
        clearTimeout(timer);
        resolve(text);
      };
      host.stdout.once("data", (chunk: Buffer) => done(chunk.toString("latin1").trim()));
      host.stdout.once("end", () => done(""));
      host.once("error", () => done(""));
    });
    if (parent !== "1") return errors.trim().split("\n").at(-1) || "the engine did not start in a namespace of its own";
    host.kill("SIGKILL");
    isOver = await settledWithin(ended, DEATH_MS);
    return isOver ? undefined : "the engine outlived its host";
  } finally {
    if (!isOver) await reap(() => findTagged(tag));
  }
}
