import assert from "node:assert/strict";
import { type ContractCase, suite } from "../contract/contract-case.ts";
import { eventually } from "../contract/within.ts";
import type { FrameSinkFixture, MakeFrameSink } from "./fixture.ts";
import { flowCases } from "./flow.ts";
import { closed, fill, frame, HIGH_WATER_MARK, PATIENCE_MS } from "./frames.ts";

/** What every `FrameSink` must do. The suite disposes of each fixture. */
export function frameSinkContract(make: MakeFrameSink): readonly ContractCase[] {
  const open = () => make({ highWaterMark: HIGH_WATER_MARK });
  const on = suite("frame-sink", open, (f: FrameSinkFixture) => f.dispose());
  return [
    ...flowCases(on),
    on("close.flushes", "sends what was written before close, then ends", async ({ sink, client }) => {
      const frames = Array.from({ length: 200 }, (_, n) => frame(n, 500));
      for (const f of frames) sink.write(f);
      sink.close();
      client.resume();
      await closed(client.ended, "the client's end");
      assert.ok(client.received().equals(Buffer.concat(frames)), "the client did not get everything");
      await closed(sink.closed, "closed");
    }),
    on("close.ignores-writes", "ignores what is written after close, and may be closed again", async (f) => {
      const { sink, client } = f;
      sink.write(frame(1, 10));
      sink.close();
      sink.close();
      assert.equal(sink.writable(), false);
      sink.write(frame(2, 10));
      client.resume();
      await closed(client.ended, "the client's end");
      await closed(sink.closed, "closed");
      sink.write(frame(3, 10));
      assert.ok(client.received().equals(Buffer.from(frame(1, 10))), client.received().toString());
      assert.equal(await sink.drained(10), false);
      sink.destroy();
    }),
    on("destroy.cuts", "cuts a stalled reader: closed resolves, waiters get false", async ({ sink, client }) => {
      await fill(sink);
      const waiting = sink.drained(PATIENCE_MS);
      sink.destroy();
      assert.equal(await waiting, false);
      await closed(sink.closed, "closed");
      assert.equal(sink.writable(), false);
      sink.destroy();
      client.resume();
      await closed(client.ended, "the client's end");
    }),
    on("gone", "notices that the client is gone", async ({ sink, client }) => {
      sink.write(frame(1, 10));
      client.resume();
      await eventually(PATIENCE_MS, "the first frame", () => client.received().length > 0);
      client.leave();
      await closed(sink.closed, "closed");
      assert.equal(sink.writable(), false);
      assert.equal(await sink.drained(PATIENCE_MS), false);
      sink.write(frame(2, 10));
      sink.close();
    }),
    on("gone.waiting", "answers a waiter with false when the client leaves", async ({ sink, client }) => {
      await fill(sink);
      const waiting = sink.drained(PATIENCE_MS);
      client.leave();
      assert.equal(await waiting, false);
      await closed(sink.closed, "closed");
    }),
  ];
}
