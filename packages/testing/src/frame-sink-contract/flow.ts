import assert from "node:assert/strict";
import type { ContractCase } from "../contract/contract-case.ts";
import { eventually } from "../contract/within.ts";
import type { FrameSinkFixture } from "./fixture.ts";
import { closed, fill, frame, HIGH_WATER_MARK, PATIENCE_MS } from "./frames.ts";

/** Cases of order, completeness and back-pressure. */
export function flowCases(
  on: (name: string, behaviour: string, test: (f: FrameSinkFixture) => Promise<void>) => ContractCase,
): ContractCase[] {
  return [
    on("order", "carries frames in order, without loss or change, waiting where told", async ({ sink, client }) => {
      client.resume();
      const frames = Array.from({ length: 2000 }, (_, n) => frame(n, (n * 37) % 900));
      for (const f of frames) {
        if (!sink.writable()) assert.equal(await sink.drained(PATIENCE_MS), true);
        sink.write(f);
      }
      sink.close();
      await closed(client.ended, "the client's end");
      assert.ok(client.received().equals(Buffer.concat(frames)), "the bytes differ");
    }),
    on("prompt", "sends a frame without waiting for more", async ({ sink, client }) => {
      client.resume();
      for (let n = 0; n < 3; n++) {
        const before = client.received().length;
        sink.write(frame(n, 50));
        await eventually(PATIENCE_MS, `frame ${n}`, () => client.received().length > before);
      }
      await eventually(PATIENCE_MS, "unsent to be 0", () => sink.unsent === 0);
    }),
    on("shared", "leaves the bytes of a frame as they are, so that readers can share it", async ({ sink, client }) => {
      const shared = frame(7, 300);
      const copy = Buffer.from(shared);
      client.resume();
      for (let n = 0; n < 3; n++) sink.write(shared);
      sink.close();
      await closed(client.ended, "the client's end");
      assert.ok(Buffer.from(shared).equals(copy), "the frame was changed or taken away");
      assert.ok(client.received().equals(Buffer.concat([copy, copy, copy])), "the bytes differ");
    }),
    on("high-water", "is not writable at the high-water mark and says how much is unsent", async ({ sink }) => {
      assert.equal(sink.writable(), true);
      assert.equal(sink.unsent, 0);
      await fill(sink);
      assert.equal(sink.writable(), false);
      assert.ok(sink.unsent >= HIGH_WATER_MARK, `unsent is ${sink.unsent}`);
    }),
    on("drained.true", "is drained once the reader reads on, and nothing was lost", async ({ sink, client }) => {
      const written = await fill(sink);
      const waiting = sink.drained(PATIENCE_MS);
      client.resume();
      assert.equal(await waiting, true);
      assert.equal(sink.writable(), true);
      sink.close();
      await closed(client.ended, "the client's end");
      assert.ok(client.received().equals(written), "the bytes differ");
    }),
    on("drained.at-once", "is drained at once while writable", async ({ sink }) => {
      assert.equal(await sink.drained(PATIENCE_MS), true);
    }),
    on("drained.false", "gives up on a reader that takes nothing, yet can go on later", async ({ sink, client }) => {
      const written = await fill(sink);
      assert.equal(await sink.drained(100), false);
      assert.equal(sink.writable(), false);
      client.resume();
      assert.equal(await sink.drained(PATIENCE_MS), true);
      sink.close();
      await closed(client.ended, "the client's end");
      assert.equal(client.received().length, written.length);
    }),
    on("drained.shared", "answers several waiters", async ({ sink, client }) => {
      await fill(sink);
      const waiting = [sink.drained(PATIENCE_MS), sink.drained(PATIENCE_MS)];
      client.resume();
      assert.deepEqual(await Promise.all(waiting), [true, true]);
    }),
  ];
}
