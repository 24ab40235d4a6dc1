import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ContractCase } from "../contract/contract-case.ts";
import type { Can, EngineCase } from "./engine-case.ts";

/** Cases of turns: one end each, limits, errors, going on. */
export function turnCases(on: EngineCase, can: Can): ContractCase[] {
  const cases = [
    on("turn.one-end", "ends every turn once, after its final message", async ({ open }) => {
      const bed = await open();
      const first = bed.send("!say one");
      assert.equal((await bed.turnEnd(first)).reason, "complete");
      const second = bed.send("!say two");
      assert.equal((await bed.turnEnd(second)).reason, "complete");
      bed.endInput();
      await bed.finished();
      assert.deepEqual(
        bed.turnEnds().map((end) => end.turnId),
        [first, second],
      );
      const marks = bed.events.flatMap((e) =>
        e.kind === "turn_end" || (e.kind === "message" && e.final) ? [e.kind] : [],
      );
      assert.deepEqual(marks, ["message", "turn_end", "message", "turn_end"]);
    }),
    on("turn.effects", "works in the workspace, step after step", async ({ open }) => {
      const bed = await open();
      const turn = bed.send("!write a.txt one two\n!edit a.txt two => three\n!bash cat a.txt > b.txt\n!say done");
      assert.equal((await bed.turnEnd(turn)).reason, "complete");
      assert.equal((await readFile(join(bed.context.workspace, "b.txt"), "utf8")).trim(), "one three");
    }),
    on("turn.max-turns", "stops a turn at maxTurns steps and says so", async ({ open }) => {
      const bed = await open({ context: { maxTurns: 2 } });
      const line = "!bash echo step >> steps.txt\n";
      const end = await bed.turnEnd(bed.send(line.repeat(6)));
      assert.equal(end.reason, "max_turns");
      const steps = await readFile(join(bed.context.workspace, "steps.txt"), "utf8");
      assert.ok(steps.split("\n").length - 1 < 6, "all steps ran");
    }),
    on("turn.error", "ends a turn whose model refuses the credential as a permanent error", async ({ open }) => {
      const bed = await open();
      const end = await bed.turnEnd(bed.send("!error 401"));
      assert.equal(end.reason, "error");
      assert.equal(end.error?.class, "permanent");
      assert.notEqual(end.error?.message, "");
    }),
    on("turn.environment", "gives commands the caller's variables and none of the host's", async ({ open }) => {
      process.env.CA_CONTRACT_HOST_SECRET = "of-the-host";
      try {
        const bed = await open({ context: { envs: { CA_CONTRACT_CALLER: "of-the-caller" } } });
        await bed.turnEnd(bed.send("!bash env > env.txt"));
        const env = await readFile(join(bed.context.workspace, "env.txt"), "utf8");
        assert.match(env, /^CA_CONTRACT_CALLER=of-the-caller$/m);
        assert.doesNotMatch(env, /of-the-host/);
      } finally {
        delete process.env.CA_CONTRACT_HOST_SECRET;
      }
    }),
  ];
  if (!can("sessions")) return cases;
  return [
    ...cases,
    on("turn.resume", "goes on with its own session in a new process", async ({ open }) => {
      const first = await open();
      await first.turnEnd(first.send("!say one"));
      const state = first.state();
      assert.ok(state, "no state was handed out");
      await first.dispose(true);
      const { sessionId } = first.context;
      const again = await open({ root: first.root, context: { sessionId, resume: { ...state, fork: false } } });
      assert.equal((await again.turnEnd(again.send("!write again.txt here"))).reason, "complete");
      assert.equal((await readFile(join(again.context.workspace, "again.txt"), "utf8")).trim(), "here");
    }),
  ];
}
