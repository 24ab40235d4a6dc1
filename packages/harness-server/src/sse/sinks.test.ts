import { frameSinkContract, type MakeFrameSink, nodeSinkFixture, webSinkFixture } from "@computeragent/testing";
import { describe, it } from "vitest";
import { createNodeResponseSink } from "./node-response-sink.ts";
import { createWebStreamSink } from "./web-stream-sink.ts";

const node: MakeFrameSink = ({ highWaterMark }) => nodeSinkFixture((res) => createNodeResponseSink(res, highWaterMark));
const web: MakeFrameSink = async ({ highWaterMark }) => {
  const { sink, stream } = createWebStreamSink(highWaterMark);
  return webSinkFixture({ sink, body: stream });
};

describe.each([
  ["Node response", node],
  ["web stream", web],
])("%s sink", (_name, make) => {
  for (const c of frameSinkContract(make)) it(`${c.id}: ${c.behaviour}`, c.run);
});
