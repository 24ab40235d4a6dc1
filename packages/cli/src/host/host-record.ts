import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProcessIdentity } from "@computeragent/supervisor";
import { CliError, EXIT } from "../exit-codes.ts";

/** What a host with a memory journal leaves on disk so that the next one can clean up after a crash. */
interface HostRecord {
  readonly hostId: string;
  readonly process: ProcessIdentity;
  readonly tmpDir: string;
}

/** The folders of one host. */
export interface HostDirs {
  readonly dataDir: string;
  readonly tmpDir: string;
  /** Removes what the host made. */
  remove(): Promise<void>;
}

const RECORD = "host.json";

/** Makes the folders of a host, recorded with the process that owns them before anything is put there. */
export async function claimHostDirs(home: string, runtimeDir: string, hostId: string): Promise<HostDirs> {
  const { identify } = await import("@computeragent/supervisor");
  const owner = await identify(process.pid);
  if (!owner) throw new Error("this process cannot be identified");
  const dataDir = join(home, "hosts", hostId);
  const tmpDir = join(runtimeDir, hostId.slice(-12));
  const record: HostRecord = { hostId, process: owner, tmpDir };
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(join(dataDir, RECORD), JSON.stringify(record), { mode: 0o600 });
    await mkdir(tmpDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    await Promise.allSettled([tmpDir, dataDir].map((dir) => rm(dir, { recursive: true, force: true })));
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(`cannot make the folders of a host in ${home} and ${runtimeDir}: ${code}`, EXIT.failed, error);
  }
  return { dataDir, tmpDir, remove: () => removeBoth(dataDir, tmpDir) };
}

/** Ends what dead hosts left running, and removes their folders and what they left half-written in workspaces. Hosts that are alive are not touched. Returns how many. */
export async function sweepDeadHosts(home: string, runtimeDir: string): Promise<number> {
  const { isAlive, sweepOwner } = await import("@computeragent/supervisor");
  const names = await readdir(join(home, "hosts")).catch(() => []);
  let swept = 0;
  for (const name of names) {
    const dataDir = join(home, "hosts", name);
    const record = await readRecord(dataDir, name, runtimeDir);
    if (!record || (await isAlive(record.process))) continue;
    await sweepOwner(record.hostId);
    await (await import("@computeragent/harness-server")).sweepWorkspaces(dataDir);
    await removeBoth(dataDir, record.tmpDir);
    swept++;
  }
  return swept;
}

/** A record that fits its folder; anything else there was not written by a host and is left alone. */
async function readRecord(dataDir: string, name: string, runtimeDir: string): Promise<HostRecord | undefined> {
  try {
    const record = JSON.parse(await readFile(join(dataDir, RECORD), "utf8")) as HostRecord;
    const fits = record.hostId === name && record.tmpDir === join(runtimeDir, name.slice(-12));
    return fits && Number.isInteger(record.process.pid) ? record : undefined;
  } catch {
    return undefined;
  }
}

async function removeBoth(dataDir: string, tmpDir: string): Promise<void> {
  await rm(tmpDir, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}
