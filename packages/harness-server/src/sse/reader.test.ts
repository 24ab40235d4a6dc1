import type { FrameSink } from "@computeragent/protocol";
import { createMasker } from "@computeragent/redaction";
import { describe, expect, it } from "vitest";
import { createMemoryJournal } from "../journal/memory.ts";
import { EventLog } from "../log/event-log.ts";
import { Turns } from "../turns.ts";
import { pumpReader, type ReaderOptions } from "./reader.ts";

const open = (keep = 1000) =>
  new EventLog({
    journal: createMemoryJournal({ maxEvents: keep, minEvents: 1 }),
    stream: 1,
    fence: 1,
    masker: createMasker(),
    hold: { bytes: 1e9, ms: 0 },
    onFailure: (error) => {
      throw error;
    },
  });

/** A sink that takes frames while it is open; what came is in `text`. */
function gatedSink() {
  let isOpen = true;
  let opened = Promise.withResolvers<boolean>();
  const closed = Promise.withResolvers<void>();
  const sink: FrameSink & { text: string; gate(open: boolean): void; destroyed: boolean } = {
    text: "",
    destroyed: false,
    unsent: 0,
    closed: closed.promise,
    writable: () => isOpen,
    write(bytes) {
      sink.text += Buffer.from(bytes).toString();
    },
    drained: (ms) => Promise.race([opened.promise, new Promise<boolean>((r) => setTimeout(() => r(false), ms))]),
    close: () => closed.resolve(),
    destroy() {
      sink.destroyed = true;
      closed.resolve();
    },
    gate(value) {
      isOpen = value;
      if (value) opened.resolve(true);
      else opened = Promise.withResolvers();
    },
  };
  return sink;
}

const follow = (log: EventLog, sink: FrameSink, more: Partial<ReaderOptions> = {}) =>
  pumpReader({
    log,
    sink,
    cursor: -1,
    gap: undefined,
    reach: { from: () => -1, to: () => undefined },
    stallMs: 5000,
    turns: new Turns(),
    passedOver: () => [],
    ...more,
  });

const tick = () => new Promise((resolve) => setTimeout(resolve, 5));
const idsIn = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));

describe("a reader", () => {
  it("declares what was dropped while it was paused, and tells what was asked meanwhile", async () => {
    const log = open(5);
    const sink = gatedSink();
    const passed: [number, number][] = [];
    const end = follow(log, sink, {
      passedOver: (after, upTo) => {
        passed.push([after, upTo]);
        return after < 0 ? [] : [Buffer.from('event: ca_permission_request\ndata: {"redelivered":true}\n\n')];
      },
    });
    for (let n = 0; n < 3; n++) log.message({ n });
    await tick();
    sink.gate(false);
    for (let n = 3; n < 40; n++) {
      log.message({ n, pad: "x".repeat(100_000) });
      await tick();
    }
    expect(idsIn(sink.text)).toEqual([0, 1, 2]);
    sink.gate(true);
    await log.seal();
    expect(await end).toBe("complete");
    expect(idsIn(sink.text)).toEqual([0, 1, 2, 35, 36, 37, 38, 39]);
    expect(sink.text).toContain('event: ca_replay_gap\ndata: {"requestedId":2,"oldestId":35,"headId":39}\n\n');
    expect(sink.text.indexOf("redelivered")).toBeGreaterThan(sink.text.indexOf("ca_replay_gap"));
    expect(passed).toEqual([
      [-1, -1],
      [2, 34],
    ]);
  });

  it("goes on from the log after a pause, without a gap", async () => {
    const log = open();
    const sink = gatedSink();
    const end = follow(log, sink);
    await tick();
    sink.gate(false);
    log.message({ n: 0 });
    await tick();
    for (let n = 1; n < 200; n++) log.message({ n, pad: "x".repeat(20_000) });
    await tick();
    sink.gate(true);
    await log.seal();
    expect(await end).toBe("complete");
    expect(idsIn(sink.text)).toEqual(Array.from({ length: 200 }, (_, i) => i));
  });

  it("is cut when nothing moves", async () => {
    const log = open();
    const sink = gatedSink();
    const end = follow(log, sink, { stallMs: 20 });
    sink.gate(false);
    log.message({});
    expect(await end).toBe("stalled");
    expect(sink.destroyed).toBe(true);
    expect(sink.text).toContain("ca_resync");
  });

  it("gets a part of the log alone, but always its end", async () => {
    const log = open();
    const sink = gatedSink();
    let from: number | undefined;
    let to: number | undefined;
    const end = follow(log, sink, { reach: { from: () => from, to: () => to } });
    for (let n = 0; n < 5; n++) log.message({ n });
    await tick();
    log.emit("ca_turn_started", {}, (seq) => {
      from = seq;
    });
    log.message({ n: 6 });
    log.emit("ca_turn_ended", {}, (seq) => {
      to = seq;
    });
    log.message({ n: 8 });
    expect(await end).toBe("complete");
    expect(idsIn(sink.text)).toEqual([5, 6, 7]);

    const cutShort = gatedSink();
    const second = follow(log, cutShort, { reach: { from: () => undefined, to: () => undefined } });
    log.emit("ca_session_ended", { reason: "cancelled" });
    await log.seal();
    expect(await second).toBe("complete");
    expect(idsIn(cutShort.text)).toEqual([9]);
  });

  it("has no hole where its only fellow left in mid-tick", async () => {
    const log = open();
    const release = log.tail.follow(() => {});
    log.message({ n: 0 });
    await log.committed();
    release();
    log.message({ n: 1 });
    await log.committed();
    const sink = gatedSink();
    const end = follow(log, sink);
    log.message({ n: 2 });
    await log.seal();
    expect(await end).toBe("complete");
    expect(idsIn(sink.text)).toEqual([0, 1, 2]);
  });

  it("ends when the log is dropped under it", async () => {
    const journal = createMemoryJournal();
    const log = new EventLog({
      journal,
      stream: 1,
      fence: 1,
      masker: createMasker(),
      hold: { bytes: 1e9, ms: 0 },
      onFailure: () => {},
    });
    const sink = gatedSink();
    sink.gate(false);
    const end = follow(log, sink);
    log.message({});
    await log.seal();
    journal.drop(1);
    sink.gate(true);
    expect(["gone", "complete"]).toContain(await end);
  });
});
