import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AsyncQueue } from "./async-queue.ts";

describe("AsyncQueue", () => {
  it("gives what was pushed in order, then ends", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(), fc.boolean())), async (items) => {
        const queue = new AsyncQueue<number>(3);
        const produce = async (): Promise<void> => {
          for (const [item, pause] of items) {
            await queue.room();
            queue.push(item);
            if (pause) await Promise.resolve();
          }
          queue.end();
        };
        const read: number[] = [];
        const producing = produce();
        for await (const item of queue) read.push(item);
        await producing;
        expect(read).toEqual(items.map(([item]) => item));
      }),
    );
  });

  it("makes a producer wait for room, until the reader is gone", async () => {
    const queue = new AsyncQueue<number>(1);
    queue.push(1);
    let hadRoom = false;
    const room = queue.room().then(() => {
      hadRoom = true;
    });
    await new Promise(setImmediate);
    expect(hadRoom).toBe(false);
    queue.end();
    await room;
  });

  it("throws after what was pushed, and takes nothing after its end", async () => {
    const queue = new AsyncQueue<number>();
    queue.push(1);
    queue.fail(new Error("broken"));
    queue.push(2);
    queue.fail(new Error("again"));
    const read: number[] = [];
    await expect(
      (async () => {
        for await (const item of queue) read.push(item);
      })(),
    ).rejects.toThrow("broken");
    expect(read).toEqual([1]);
  });
});
