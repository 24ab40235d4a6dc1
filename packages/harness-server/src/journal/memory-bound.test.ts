import { expect, it } from "vitest";
import { createMemoryJournal } from "./memory.ts";

it("keeps no more bytes per host than it may, however few the events are", async () => {
  const journal = createMemoryJournal({ maxBytes: 1_000_000, maxHostBytes: 4_000_000 });
  for (let n = 0; n < 100; n++) {
    await journal.append(1, 1, [{ type: "sdk_message", data: "x".repeat(100_000), at: Date.now() }]);
  }
  let bytes = 0;
  for (let after: number | null = null; ; ) {
    const events = await journal.read(1, after, 1_000_000);
    if (events.length === 0) break;
    for (const event of events) bytes += event.data.length;
    after = events.at(-1)?.seq ?? null;
  }
  expect(bytes).toBeLessThanOrEqual(4_000_000);
});
