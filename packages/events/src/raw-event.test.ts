import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createClaudeNormalizer } from "./claude/normalize-claude.ts";
import { fromWire } from "./raw-event.ts";

describe("an event of the wire", () => {
  it.each([
    [3, 3],
    [0, 0],
    [undefined, null],
    [-1, null],
    [Number.NaN, null],
    [1.5, null],
  ])("with the id %j has the number %j", (id, seq) => {
    expect(fromWire({ id, type: "ca_notice", data: { a: 1 } })).toEqual({ seq, type: "ca_notice", data: { a: 1 } });
  });

  it.each([[null], [[1]], ["text"], [undefined]])("with the data %j has none", (data) => {
    expect(fromWire({ id: 0, type: "x", data }).data).toEqual({});
  });
});

it("begins anew when the log does: restored from a backup, or shorter than what was read", () => {
  const started = (epoch: string) => ({ seq: 0, type: "ca_session_started", data: { sessionId: "s", epoch } });
  const notice = (seq: number) => ({ seq, type: "ca_notice", data: {} });
  const normalizer = createClaudeNormalizer();
  const counts = [started("a"), notice(1), notice(2), started("a"), started("b"), notice(1), notice(2)].map(
    (event) => normalizer.push(event).length,
  );
  expect(counts).toEqual([1, 1, 1, 0, 1, 1, 1]);
  const gap = (headId: number) => ({ seq: null, type: "ca_replay_gap", data: { requestedId: 2, oldestId: 1, headId } });
  normalizer.push(gap(5));
  expect(normalizer.push(notice(2))).toEqual([]);
  normalizer.push(gap(1));
  expect(normalizer.push(notice(1))).toHaveLength(1);
});

it("needs nothing at run time but itself, so that a browser can load it", () => {
  const files = readdirSync(new URL(".", import.meta.url), { recursive: true, encoding: "utf8" });
  const sources = files.filter((name) => /(?<![.]test|[.]test-support)[.]ts$/.test(name));
  expect(sources.length).toBeGreaterThan(20);
  for (const name of sources) {
    const text = readFileSync(new URL(name, import.meta.url), "utf8");
    const outside = [...text.matchAll(/^(?:import|export) (?!type\b)[^;]*? from "([^.][^"]*)"/gm)].map(
      ([, from]) => from,
    );
    expect([name, outside]).toEqual([name, []]);
  }
});
