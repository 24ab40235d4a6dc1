import { randomBytes } from "node:crypto";
import { identify, isAlive } from "@computeragent/supervisor";

const NAME = /^tmp-(\d{1,10})-(\d{1,20})-([0-9a-f-]{36})-[0-9a-f]{12}$/;

/** A new name for a folder that only this process works in; no entry has such a name. */
export async function writerName(): Promise<string> {
  const self = await identify(process.pid);
  const { startTime, bootId } = self ?? { startTime: "0", bootId: "0".repeat(36) };
  return `tmp-${process.pid}-${startTime}-${bootId}-${randomBytes(6).toString("hex")}`;
}

/** True for the folder of a process that no longer runs. */
export async function isLeftOver(name: string): Promise<boolean> {
  const [, pid, startTime, bootId] = NAME.exec(name) ?? [];
  if (pid === undefined || startTime === undefined || bootId === undefined) return false;
  return !(await isAlive({ pid: Number(pid), startTime, bootId }));
}
