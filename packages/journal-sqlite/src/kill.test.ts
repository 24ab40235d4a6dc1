import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { createSqliteJournal } from "./create-sqlite-journal.ts";

const dir = mkdtempSync(join(tmpdir(), "journal-kill-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const APPENDER = fileURLToPath(new URL("fixtures/appender.ts", import.meta.url));

/** Kills a process that appends once it has said so many lines; gives the last number that it was promised. */
async function killedAfter(path: string, lines: number): Promise<number> {
  const args = ["--conditions=@computeragent/source", APPENDER, path];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let promised = -1;
  let seen = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    promised = Number(line);
    if (++seen === lines) child.kill("SIGKILL");
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return promised;
}

describe("a process that is killed while it appends", { timeout: 120_000 }, () => {
  it("loses nothing that it was promised, leaves no hole, and whoever comes next goes on", async () => {
    const path = join(dir, "x.db");
    for (let round = 1; round <= 8; round++) {
      const promised = await killedAfter(path, round * 7);
      const journal = await createSqliteJournal({ path });
      const events = await journal.read(1, null, 1e9);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i));
      expect(events.length).toBeGreaterThan(promised);
      const next = await journal.append(1, 1, [{ type: "sdk_message", data: "{}", at: 0 }]);
      expect(next.firstSeq).toBe(events.length);
      await journal.close();
    }
  });
});
