import assert from "node:assert/strict";
import type { EngineEvent, JsonValue } from "@computeragent/protocol";
import type { ContractCase } from "../contract/contract-case.ts";
import type { Can, EngineCase } from "./engine-case.ts";

const TEXT = "All work and no play makes the engine a dull thing, or so they say.";

/** The text pieces of partial messages, joined. */
function pieces(events: readonly EngineEvent[]): string {
  let text = "";
  for (const event of events) {
    if (event.kind !== "message" || !event.partial?.path) continue;
    let value: JsonValue | undefined = event.payload;
    for (const key of event.partial.path) {
      value = typeof value === "object" && value !== null ? (value as Record<string, JsonValue>)[key] : undefined;
    }
    assert.equal(typeof value, "string", "a partial's path leads to no text");
    text += value;
  }
  return text;
}

/** Cases of what an engine says. */
export function messageCases(on: EngineCase, can: Can): ContractCase[] {
  const cases = [
    on("message.json", "sends messages that are plain JSON", async ({ open }) => {
      const bed = await open();
      await bed.turnEnd(bed.send(`!say ${TEXT}\n!bash echo hi`));
      const payloads = bed.events.flatMap((event) => (event.kind === "message" ? [event.payload] : []));
      assert.ok(payloads.length > 0);
      for (const payload of payloads) assert.deepEqual(JSON.parse(JSON.stringify(payload)), payload);
    }),
    on("message.whole", "sends no pieces unless asked", async ({ open }) => {
      const bed = await open();
      await bed.turnEnd(bed.send(`!say ${TEXT}`));
      assert.ok(bed.events.every((event) => event.kind !== "message" || event.partial === undefined));
      assert.ok(JSON.stringify(bed.events).includes(TEXT), "the text is missing");
    }),
  ];
  if (!can("partials")) return cases;
  return [
    ...cases,
    on("message.partials", "sends pieces that make up the text, and closes their channels", async ({ open }) => {
      const bed = await open({ context: { includePartials: true } });
      await bed.turnEnd(bed.send(`!say ${TEXT}`));
      assert.ok(pieces(bed.events).includes(TEXT), `the pieces make: ${pieces(bed.events)}`);
      const open_ = new Set<string>();
      for (const event of bed.events) {
        if (event.kind !== "message" || !event.partial) continue;
        if (event.partial.end) open_.delete(event.partial.channel);
        else open_.add(event.partial.channel);
      }
      assert.deepEqual([...open_], []);
    }),
  ];
}
