// The system commands that the tests need beyond Node, and the Debian packages that bring them.
import { spawnSync } from "node:child_process";
import { which } from "./command.mjs";

/** One line a command: add what a new test needs here. */
export const SYSTEM_COMMANDS = [
  { command: "git", package: "git" },
  { command: "curl", package: "curl" },
  { command: "ps", package: "procps" },
  { command: "setsid", package: "util-linux" },
  { command: "mount", package: "mount" },
];

/**
 * @param {(command: string) => boolean} [present]
 * @returns {string[]} the packages to install, each once
 */
export function missingPackages(present = (command) => which(command) !== undefined) {
  return [...new Set(SYSTEM_COMMANDS.filter(({ command }) => !present(command)).map((entry) => entry.package))];
}

/**
 * Installs what is missing if this is root on a Debian system.
 * @param {(text: string) => void} say
 * @returns {string} what is wrong, or nothing
 */
export function ensureSystemCommands(say) {
  const missing = missingPackages();
  if (missing.length === 0) return "";
  const advice = `missing system packages: ${missing.join(", ")} (Debian: apt-get install ${missing.join(" ")})`;
  const apt = which("apt-get");
  if (apt === undefined || process.getuid?.() !== 0) return advice;
  say(`installing ${missing.join(", ")} with apt-get\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", ...missing]]) {
    const result = spawnSync(apt, ["-qq", ...args], { env, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" });
    if (result.status !== 0) return `${advice}\napt-get ${args[0]} failed:\n${result.stderr}`;
  }
  return missingPackages().length === 0 ? "" : advice;
}
