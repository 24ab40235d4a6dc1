import { journalContract } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { createMemoryJournal } from "./memory.ts";

const event = (data: string, at = 0) => ({ type: "sdk_message", data, at });

describe("memory journal", () => {
  const trimming = (keep: number) => createMemoryJournal({ maxEvents: keep, minEvents: 1 });
  for (const c of journalContract(() => createMemoryJournal(), { trimming })) it(`${c.id}: ${c.behaviour}`, c.run);

  it("drops by bytes and by age, but keeps the least number", async () => {
    const journal = createMemoryJournal({ maxBytes: 1000, maxAgeMs: 100, minEvents: 3, now: () => 1000 });
    for (let i = 0; i < 10; i++) await journal.append(1, 1, [event("x".repeat(200), 1000)]);
    expect(await journal.head(1)).toEqual({ oldest: 7, head: 9 });
    for (let i = 0; i < 3; i++) await journal.append(2, 1, [event("1", 0)]);
    expect(await journal.head(2)).toEqual({ oldest: 0, head: 2 });
    await journal.append(2, 1, [event("1", 1000)]);
    expect(await journal.head(2)).toEqual({ oldest: 1, head: 3 });
  });

  it("keeps the host's total bounded by shortening the largest stream", async () => {
    const journal = createMemoryJournal({ maxHostBytes: 100_000, minEvents: 10, now: () => 0 });
    for (let i = 0; i < 200; i++) await journal.append(1, 1, [event("x".repeat(1000))]);
    for (let i = 0; i < 20; i++) await journal.append(2, 1, [event("x".repeat(1000))]);
    const [big, small] = [await journal.head(1), await journal.head(2)];
    expect(big.head).toBe(199);
    expect((big.head ?? 0) - (big.oldest ?? 0)).toBeLessThan(100);
    expect(small).toEqual({ oldest: 0, head: 19 });
  });
});
