import { describe, expect, it } from "vitest";
import { ReferenceNodeSink, ReferenceWebSink } from "../frame-sink-reference.test-support.ts";
import type { MakeFrameSink } from "./fixture.ts";
import { frameSinkContract } from "./frame-sink-contract.ts";
import { nodeSinkFixture } from "./node-fixture.ts";
import { webSinkFixture } from "./web-fixture.ts";

const node: MakeFrameSink = ({ highWaterMark }) => nodeSinkFixture((res) => new ReferenceNodeSink(res, highWaterMark));
const web: MakeFrameSink = async ({ highWaterMark }) => {
  const sink = new ReferenceWebSink(highWaterMark);
  return webSinkFixture({ sink, body: sink.body });
};

describe.each([
  ["Node response", node],
  ["web stream", web],
])("%s", (_name, make) => {
  for (const c of frameSinkContract(make)) it(`${c.id}: ${c.behaviour}`, c.run);
});

const faulty: Record<string, MakeFrameSink> = {
  "frame-sink.high-water": () =>
    nodeSinkFixture(
      (res) =>
        new (class extends ReferenceNodeSink {
          override writable() {
            return !this.over;
          }
        })(res, 0),
    ),
  "frame-sink.close.flushes": () =>
    nodeSinkFixture(
      (res) =>
        new (class extends ReferenceNodeSink {
          override close() {
            this.destroy();
          }
        })(res, 65_536),
    ),
  "frame-sink.shared": async () => {
    const sink = new (class extends ReferenceWebSink {
      override write(frames: Uint8Array) {
        super.write(new Uint8Array((frames.buffer as ArrayBuffer).transfer()));
      }
    })(65_536);
    return webSinkFixture({ sink, body: sink.body });
  },
};

describe("the suite notices", () => {
  it.each(Object.entries(faulty))("%s", async (id, make) => {
    const found = frameSinkContract(make).find((c) => c.id === id);
    await expect(found?.run()).rejects.toThrow();
  });
});
