import type { JsonObject } from "@computeragent/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { damagedStream, json, normalizeAll, redelivered, stream } from "./arbitrary.test-support.ts";
import { createClaudeNormalizer } from "./claude/normalize-claude.ts";
import { emptyConversation } from "./conversation/conversation.ts";
import { reduceConversation, replayConversation } from "./conversation/reduce-conversation.ts";
import type { NormalizedEvent } from "./normalized-event.ts";
import type { RawEvent } from "./raw-event.ts";

const TYPES = [
  "sdk_message",
  "ca_session_started",
  "ca_turn_started",
  "ca_turn_ended",
  "ca_permission_request",
  "ca_permission_resolved",
  "ca_usage_snapshot",
  "ca_substrate_event",
  "ca_notice",
  "ca_session_ended",
  "ca_replay_gap",
  "of_tomorrow",
  "toString",
];
const again = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const wellNumbered = (events: readonly NormalizedEvent[], seq: number | null): boolean =>
  events.length > 0 && events.every((event, index) => event.seq === seq && event.sub === index);

describe("the normaliser", () => {
  it("takes data of any shape, and numbers what it makes", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...TYPES), fc.dictionary(fc.string(), json))), (events) => {
        const normalizer = createClaudeNormalizer();
        for (const [seq, [type, data]] of events.entries()) {
          expect(wellNumbered(normalizer.push({ seq, type, data: data as JsonObject }), seq)).toBe(true);
        }
      }),
    );
  });

  it("takes recorded streams with damaged places, and so does the reducer", () => {
    fc.assert(
      fc.property(damagedStream, (events) => {
        const normalizer = createClaudeNormalizer();
        let conversation = emptyConversation();
        for (const event of events) {
          const normalized = normalizer.push(event);
          expect(wellNumbered(normalized, event.seq)).toBe(true);
          conversation = normalized.reduce(reduceConversation, conversation);
          expect(again(conversation)).toStrictEqual(conversation);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("takes any state", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("cursor", "epoch", "messages", "calls", "tasks"), json),
        stream,
        (state, events) => {
          const normalizer = createClaudeNormalizer(state as JsonObject);
          for (const event of events) normalizer.push(event);
          expect(again(normalizer.state())).toStrictEqual(normalizer.state());
        },
      ),
    );
  });

  it("gives nothing for events that come again", () => {
    const orders = stream.chain((events) => fc.tuple(fc.constant(events), redelivered(events.length)));
    fc.assert(
      fc.property(orders, ([events, order]) => {
        const numbered = (list: readonly NormalizedEvent[]) => list.filter(({ seq }) => seq !== null);
        const repeated = order.flatMap((index) => events[index] ?? []);
        expect(numbered(normalizeAll(repeated))).toStrictEqual(numbered(normalizeAll(events)));
      }),
    );
  });
});

describe("the conversation", () => {
  it("is the same however often parts of the stream come again", () => {
    const orders = stream
      .map(normalizeAll)
      .chain((events) => fc.tuple(fc.constant(events), redelivered(events.length)));
    fc.assert(
      fc.property(orders, ([events, order]) => {
        const repeated = order.flatMap((index) => events[index] ?? []);
        expect(replayConversation(repeated)).toStrictEqual(replayConversation(events));
      }),
    );
  });

  it("goes on from any point where both states went through JSON", () => {
    const cuts = stream.chain((events) => fc.tuple(fc.constant(events), fc.nat(events.length)));
    fc.assert(
      fc.property(cuts, ([events, cut]) => {
        const before = createClaudeNormalizer();
        const run = (from: ReturnType<typeof createClaudeNormalizer>, part: readonly RawEvent[]) =>
          part.flatMap((event) => [...from.push(event)]);
        const half = replayConversation(run(before, events.slice(0, cut)));
        const after = createClaudeNormalizer(again(before.state()));
        const whole = replayConversation(run(after, events.slice(cut)), again(half));
        expect(whole).toStrictEqual(replayConversation(normalizeAll(events)));
      }),
    );
  });

  it("says so when an event is missing", () => {
    const holes = stream.map(normalizeAll).chain((events) => fc.tuple(fc.constant(events), fc.nat(events.length - 2)));
    fc.assert(
      fc.property(holes, ([events, hole]) => {
        const missing = events[hole];
        const { gap } = replayConversation(events.filter((event) => event.seq !== missing?.seq));
        if (missing?.seq === null || missing?.seq === events.at(-1)?.seq) expect(gap).toBeNull();
        else
          expect(gap).toEqual({
            after: (missing?.seq ?? 0) - 1 < 0 ? null : (missing?.seq ?? 0) - 1,
            next: (missing?.seq ?? 0) + 1,
          });
      }),
    );
  });
});
