import { EngineFailure } from "@computeragent/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { within } from "../contract/within.ts";
import { type EngineBed, openEngineBed } from "../engine-contract/engine-bed.ts";
import { createMockEngine } from "./create-mock-engine.ts";
import type { Misbehaviour } from "./options.ts";

const beds: EngineBed[] = [];
afterEach(async () => {
  for (const bed of beds.splice(0)) await bed.dispose();
});
const open = async (misbehave: Misbehaviour) => {
  const bed = await openEngineBed(createMockEngine({ closeDelayMs: 300 }), { context: { options: { misbehave } } });
  beds.push(bed);
  return bed;
};
const settled = (promise: Promise<unknown>, ms: number) =>
  within(ms, "it", promise).then(
    () => true,
    () => false,
  );

describe("misbehaviour", () => {
  it("ignores everything but kill", async () => {
    const bed = await open("ignore_abort");
    const turn = bed.send("!bash touch x\n!sleep 100000");
    await bed.session.interrupt();
    expect(await settled(bed.session.close(), 200)).toBe(false);
    expect(bed.turnEnds()).toEqual([]);
    await bed.session.kill();
    await bed.finished();
    expect(bed.turnEnds().map((end) => end.turnId)).not.toContain(turn);
  });

  it("never starts", async () => {
    const bed = await open("never_start");
    bed.send("hi");
    expect(await settled(bed.finished(), 200)).toBe(false);
    expect(bed.events).toEqual([]);
  });

  it("ends without a result", async () => {
    const bed = await open("exit_early");
    bed.send("hi");
    await bed.finished();
    expect(bed.turnEnds()).toEqual([]);
  });

  it("throws a failure, or anything", async () => {
    for (const [kind, error] of [
      ["throw", EngineFailure],
      ["throw_raw", TypeError],
    ] as const) {
      const bed = await open(kind);
      bed.send("hi");
      await expect(bed.finished()).rejects.toThrow(error);
    }
  });

  it("does not know when it is over", async () => {
    const bed = await open("late_events");
    const turn = bed.send("!say a");
    await bed.turnEnd(turn);
    await bed.session.close();
    await bed.finished();
    expect(bed.turnEnds().filter((end) => end.turnId === turn).length).toBeGreaterThan(1);
  });

  it("closes slowly, yet dies at once", async () => {
    const bed = await open("slow_close");
    await bed.turnEnd(bed.send("hi"));
    expect(await settled(bed.session.close(), 100)).toBe(false);
    await bed.session.kill();
    await bed.finished();
  });

  it.each([
    ["odd_text", (text: string) => text.includes("\u2028") && text.includes("\u0000")],
    ["huge_message", (text: string) => text.length === 1_000_000],
  ] as const)("sends %s", async (kind, accepts) => {
    const bed = await open(kind);
    await bed.turnEnd(bed.send("hi"));
    const said = bed.events.flatMap((e) =>
      e.kind === "message" && e.payload.type === "assistant"
        ? [(e.payload.message as { content: { text: string }[] }).content[0]?.text ?? ""]
        : [],
    );
    expect(said.some(accepts)).toBe(true);
  });
});
