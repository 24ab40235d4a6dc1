import assert from "node:assert/strict";
import type { ContractCase } from "../contract/contract-case.ts";
import type { EngineCase } from "./engine-case.ts";
import { beats, HEARTBEAT, isSilent } from "./heartbeat.ts";

/** Cases of the end of a session. */
export function endCases(on: EngineCase): ContractCase[] {
  return [
    on("end.input", "ends by itself when the input ends and its turns are done", async ({ open }) => {
      const bed = await open();
      const turn = bed.send("!say one");
      bed.endInput();
      await bed.finished();
      assert.deepEqual(
        bed.turnEnds().map((end) => end.turnId),
        [turn],
      );
    }),
    on(
      "end.close",
      "closes in mid-turn with all it started; again, and after the end, does nothing",
      async ({ open }) => {
        const bed = await open();
        bed.send(HEARTBEAT);
        await beats(bed);
        await Promise.all([bed.session.close(), bed.session.close()]);
        await isSilent(bed);
        await bed.finished().catch(() => {});
        const told = bed.events.length;
        await bed.session.close();
        await bed.session.interrupt().catch(() => {});
        assert.equal(bed.events.length, told);
        assert.ok(bed.turnEnds().length <= 1);
      },
    ),
    on("end.kill", "dies at once with all it started; again does nothing", async ({ open }) => {
      const bed = await open();
      bed.send(HEARTBEAT);
      await beats(bed);
      await Promise.all([bed.session.kill(), bed.session.kill()]);
      await isSilent(bed);
      await bed.finished().catch(() => {});
      await bed.session.kill();
      await bed.session.close();
    }),
    on("end.before-start", "ends without a word when it is closed before it was read", async ({ open }) => {
      const bed = await open();
      await bed.session.close();
      bed.send("!bash echo x > never.txt");
      await bed.finished().catch(() => {});
      assert.deepEqual(bed.turnEnds(), []);
      assert.deepEqual(bed.calls, []);
    }),
    on("end.signal", "ends when the host's signal fires", async ({ open }) => {
      const abort = new AbortController();
      const bed = await open({ context: { signal: abort.signal } });
      bed.send(HEARTBEAT);
      await beats(bed);
      abort.abort();
      await bed.finished().catch(() => {});
      await isSilent(bed);
    }),
  ];
}
