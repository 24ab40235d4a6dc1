import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { boot, type Rig } from "../rig.test-support.ts";

const soon = { timeout: 20_000 };
const known = async (rig: Rig): Promise<string[]> =>
  (await rig.request("GET", "/v1/sessions")).body.sessions.map((session: { sessionId: string }) => session.sessionId);

/** Sessions that end one after another, each having said `bytes` of text. */
async function endSome(rig: Rig, count: number, bytes: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { sessionId } = await rig.create({ messages: [{ role: "user", content: `!stream 1 ${bytes}` }] });
    const stream = await rig.events(sessionId);
    await stream.waitFor("ca_turn_ended");
    await rig.request("DELETE", `/v1/sessions/${sessionId}`);
    await stream.ended;
    ids.push(sessionId);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return ids;
}

describe("ended sessions", () => {
  it("beyond the limit are forgotten, the first to end first; one that is read stays, and so do live ones", async () => {
    const rig = await boot({ limits: { maxEndedSessions: 2, reaperIntervalMs: 20 } });
    const live = await rig.create();
    const ids = await endSome(rig, 5, 10);
    await expect.poll(() => known(rig), soon).toEqual([ids[4], ids[3], live.sessionId]);
    expect((await rig.info(live.sessionId)).status).toBe("idle");
  });

  it("that hold more events than the host may keep in memory are forgotten, but not the last one", async () => {
    const rig = await boot({ limits: { journalMaxHostBytes: 100_000, reaperIntervalMs: 20 } });
    const ids = await endSome(rig, 4, 40_000);
    await expect.poll(() => known(rig), soon).toEqual([ids[3], ids[2]]);
    const [large] = await endSome(rig, 1, 65_000);
    const [larger] = await endSome(rig, 1, 65_000);
    await expect.poll(() => known(rig), soon).toEqual([larger]);
    expect(large).not.toBe(larger);
  });

  it("keep no folder for temporary files", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    expect(await readdir(join(rig.dir, "data", "tmp"))).toHaveLength(2);
    await rig.request("POST", `/v1/sessions/${sessionId}/cancel`);
    expect(await readdir(join(rig.dir, "data", "tmp"))).toEqual(["owned.jsonl"]);
  });
});
