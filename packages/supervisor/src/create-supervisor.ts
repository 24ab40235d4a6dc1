import { randomBytes } from "node:crypto";
import { isMainThread } from "node:worker_threads";
import { ContainmentUnavailableError } from "./errors.ts";
import { LocalSupervisor } from "./supervisor.ts";
import { probeCgroup } from "./tiers/cgroup.ts";
import type { Probed } from "./tiers/containment.ts";
import { probeNamespace } from "./tiers/namespace.ts";
import { probeWatchdog } from "./tiers/probe-watchdog.ts";
import type { ContainmentTier, Supervisor, SupervisorOptions, TierProbe } from "./types.ts";
import { startWatchdog } from "./watchdog.ts";

const HOST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Tries every tier once, starts the watchdog and gives the supervisor in the strongest tier (or the one asked for).
 * Rejects with {@link ContainmentUnavailableError}, or TypeError for a bad host id. Main thread only: the kernel ties
 * the life of children to the thread that started them.
 */
export async function createSupervisor(options: SupervisorOptions): Promise<Supervisor> {
  const { hostId, tier = "auto", runtimeDir = "/" } = options;
  if (!HOST_ID.test(hostId))
    throw new TypeError(`hostId must be 1 to 64 characters of A-Za-z0-9._- : ${JSON.stringify(hostId)}`);
  if (!isMainThread) throw new ContainmentUnavailableError("a supervisor works on the main thread only");
  if (process.platform !== "linux")
    throw new ContainmentUnavailableError(`no containment tier on ${process.platform}: Linux is needed`);

  const incarnation = randomBytes(8).toString("hex");
  const [namespace, cgroup, watchdog] = await Promise.all([
    probeNamespace(),
    probeCgroup(incarnation),
    probeWatchdog(runtimeDir),
  ]);
  const probed: readonly (readonly [ContainmentTier, Probed])[] = [
    ["pid-namespace", namespace],
    ["cgroup", cgroup],
    ["watchdog", watchdog],
  ];
  for (const [name, result] of probed) {
    if (!("containment" in result) || (tier !== "auto" && tier !== name)) continue;
    const { containment } = result;
    const tiers = probed.map(toProbe);
    const dog = await startWatchdog(incarnation, containment.cgroupPrefix, runtimeDir);
    return new LocalSupervisor({ hostId, incarnation, containment, tiers, watchdog: dog });
  }
  const reasons = probed.flatMap(([name, result]) => ("reason" in result ? [`${name}: ${result.reason}`] : []));
  throw new ContainmentUnavailableError(`containment ${tier} is not available here (${reasons.join("; ")})`);
}

function toProbe([tier, result]: readonly [ContainmentTier, Probed]): TierProbe {
  return "reason" in result ? { tier, available: false, reason: result.reason } : { tier, available: true };
}
