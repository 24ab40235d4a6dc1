import { FileQuery, TreeQuery, WireError } from "@computeragent/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkNames, checkTarget } from "./guard.ts";
import { readQuery } from "./query.ts";

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
};

describe("a query", () => {
  it("comes back as it was written", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 100 }),
        fc.option(fc.constantFrom("text", "binary")),
        (path, format) => {
          const fields = { path, ...(format === null ? {} : { format }) };
          expect(readQuery(`http://h/x?${new URLSearchParams(fields)}`, FileQuery)).toEqual(fields);
        },
      ),
    );
  });

  it("is read or refused with the field, whatever it is", () => {
    const part = fc.constantFrom(
      "path",
      "depth",
      "limit",
      "cursor",
      "__proto__",
      "=",
      "&",
      "%",
      "%ff",
      "%00",
      "+",
      "1",
      "?",
      "#",
      ";",
      "[]",
    );
    const text = fc.oneof(
      fc.array(part, { maxLength: 20 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(text, (query) => {
        const error = thrownBy(() => readQuery(`/x?${query}`, TreeQuery));
        if (error !== undefined) expect(WireError.isInstance(error) && error.code).toBe("VALIDATION");
      }),
    );
  });

  it("names at most 50 faults of 1 MB of them", () => {
    const error = thrownBy(() => readQuery(`/x?${"a~/=1&".repeat(170_000)}`, undefined));
    expect(WireError.isInstance(error) && error.toProblem().errors).toHaveLength(50);
    expect(WireError.isInstance(error) && error.errors?.[0]?.pointer).toBe("/a~0~1");
  });
});

describe("the name of the host", () => {
  const names = { hosts: new Set(["localhost:80", "127.0.0.1"]), origins: new Set<string>() };
  const piece = fc.constantFrom(
    "localhost",
    "127.0.0.1",
    ":80",
    ".",
    "@",
    "evil",
    "/",
    "[::1]",
    "%",
    "#",
    "?",
    "http://",
    "\\",
    "\t",
    "LOCALHOST",
  );
  const odd = fc.oneof(
    fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join("")),
    fc.string(),
  );

  it("is one of the allowed, or the request is refused", () => {
    fc.assert(
      fc.property(odd, (host) => {
        fc.pre(URL.canParse("http://h/") && !/[^\x20-\x7e]/.test(host));
        const request = new Request("http://h/", { headers: { host } });
        const error = thrownBy(() => checkNames(request, names, true));
        const isAllowed = names.hosts.has((request.headers.get("host") ?? "").toLowerCase());
        expect(error === undefined).toBe(isAllowed);
      }),
    );
  });

  it("in a request line too", () => {
    fc.assert(
      fc.property(odd, (text) => {
        const error = thrownBy(() => checkTarget(text, names));
        if (text.startsWith("/")) expect(error).toBeUndefined();
        else if (error === undefined)
          expect(names.hosts.has(new URL(text).host) || /^http:\/\/localhost:80/i.test(text)).toBe(true);
        else expect(WireError.isInstance(error)).toBe(true);
      }),
    );
  });
});
