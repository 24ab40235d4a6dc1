import assert from "node:assert/strict";
import type { ContractCase } from "../contract/contract-case.ts";
import type { Can, EngineCase } from "./engine-case.ts";
import { beats, HEARTBEAT, isSilent } from "./heartbeat.ts";

/** Cases of `interrupt`. */
export function interruptCases(on: EngineCase, can: Can): ContractCase[] {
  if (!can("interrupt")) return [];
  return [
    on("interrupt.command", "ends a turn in mid-command, and the command; the next turn works", async ({ open }) => {
      const bed = await open();
      const turn = bed.send(HEARTBEAT);
      await beats(bed);
      await bed.session.interrupt();
      assert.equal((await bed.turnEnd(turn)).reason, "interrupted");
      await isSilent(bed);
      assert.equal((await bed.turnEnd(bed.send("!say still here"))).reason, "complete");
      assert.equal(bed.turnEnds().length, 2);
    }),
    on("interrupt.waiting", "ends a turn that waits for a permission", async ({ open }) => {
      const asked = Promise.withResolvers<void>();
      const bed = await open({
        authorize: (call) =>
          new Promise((resolve) => {
            call.signal?.addEventListener("abort", () => resolve({ behavior: "deny", message: "too late" }));
            asked.resolve();
          }),
      });
      const turn = bed.send("!bash echo x > never.txt");
      await asked.promise;
      await bed.session.interrupt();
      assert.equal((await bed.turnEnd(turn)).reason, "interrupted");
    }),
    on("interrupt.idle", "does nothing between turns", async ({ open }) => {
      const bed = await open();
      await bed.turnEnd(bed.send("!say one"));
      await bed.session.interrupt();
      await bed.session.interrupt();
      assert.equal((await bed.turnEnd(bed.send("!say two"))).reason, "complete");
      assert.equal(bed.turnEnds().length, 2);
    }),
  ];
}
