import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { arbitraryOf } from "../arbitrary.test-support.ts";
import {
  type CONTROL_SCHEMAS,
  type ControlFrame,
  EVENT_SCHEMAS,
  type EventData,
  type EventType,
  type HarnessEvent,
  type JsonObject,
  type PermissionRequestData,
  parseEvent,
  type TurnEndedData,
} from "../index.ts";

const types = Object.keys(EVENT_SCHEMAS) as EventType[];

describe("parseEvent", () => {
  it.each(types)("%s: takes generated data, also from JSON", (type) => {
    fc.assert(
      fc.property(arbitraryOf(EVENT_SCHEMAS[type]), fc.nat(), (data, id) => {
        const parsed = parseEvent(id, type, JSON.parse(JSON.stringify(data)));
        expect(parsed.data).toEqual({ id, type, data });
      }),
      { numRuns: 40 },
    );
  });

  it.each(types)("%s: tolerates fields of a later revision", (type) => {
    fc.assert(
      fc.property(arbitraryOf(EVENT_SCHEMAS[type]), (data) => {
        expect(parseEvent(3, type, { ...(data as object), fieldOfALaterRevision: { a: 1 } }).success).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it("keeps every field of an engine's message", () => {
    const data = { type: "brand_new", nested: { deep: [1, null, { x: "y" }] }, session_id: "s" };
    expect(parseEvent(0, "sdk_message", data).data).toEqual({ id: 0, type: "sdk_message", data });
  });

  it.each([
    [0, "no_such_event", {}],
    [-1, "sdk_message", {}],
    [0.5, "sdk_message", {}],
    [0, "sdk_message", "text"],
    [0, "sdk_message", []],
    [0, "ca_turn_started", { turnId: "t" }],
    [0, "fs.change", { path: "a", kind: "create" }],
    [0, "ca_resync", { reason: "limit" }],
  ])("refuses id %d, %s", (id, type, data) => {
    expect(parseEvent(id, type, data).success).toBe(false);
  });
});

describe("types", () => {
  it("narrows an event by its name", () => {
    const read = (event: HarnessEvent): string => {
      switch (event.type) {
        case "sdk_message":
          expectTypeOf(event.data).toEqualTypeOf<JsonObject>();
          return "message";
        case "ca_turn_ended":
          expectTypeOf(event.data).toEqualTypeOf<TurnEndedData>();
          return event.data.reason;
        case "ca_permission_request":
          expectTypeOf(event.data).toEqualTypeOf<PermissionRequestData>();
          return event.data.callId;
        default:
          expectTypeOf(event.type).toEqualTypeOf<
            Exclude<EventType, "sdk_message" | "ca_turn_ended" | "ca_permission_request">
          >();
          return event.type;
      }
    };
    const notice = { level: "info", code: "c", message: "m" } as const;
    expect(read({ id: 1, type: "ca_notice", data: notice })).toBe("ca_notice");
    expectTypeOf<HarnessEvent["id"]>().toEqualTypeOf<number>();
    expectTypeOf<EventData<"ca_notice">["level"]>().toEqualTypeOf<"info" | "warning">();
    expectTypeOf<ControlFrame["type"]>().toEqualTypeOf<keyof typeof CONTROL_SCHEMAS>();
    expectTypeOf<ControlFrame>().not.toHaveProperty("id");
  });
});
