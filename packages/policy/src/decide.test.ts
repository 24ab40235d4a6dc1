import { Access, Hitl, PermissionMode, Risk, ToolKind } from "@computeragent/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Classification, decide, strictestAccess, strictestHitl, strictestMode } from "./index.ts";

const mode = fc.constantFrom(...PermissionMode.options);
const access = fc.constantFrom(...Access.options);
const hitl = fc.option(fc.constantFrom(...Hitl.options), { nil: undefined });
const classification: fc.Arbitrary<Classification> = fc.record({
  risk: fc.constantFrom(...Risk.options),
  kind: fc.constantFrom(...ToolKind.options),
  paths: fc.constant([]),
  outside: fc.boolean(),
  reason: fc.constant("because"),
});

const WEIGHT = { allow: 0, ask: 1, deny: 2 } as const;
const ask = (
  m: PermissionMode,
  a: Access,
  h: Hitl | undefined,
  c: Partial<Classification> & Pick<Classification, "risk" | "kind">,
) =>
  decide({
    mode: m,
    access: a,
    classification: { paths: [], outside: false, reason: "because", ...c },
    ...(h === undefined ? {} : { hitl: h }),
  }).verdict;

describe("the mode alone (access full, no supervision)", () => {
  it.each([
    ["deny", "allow deny deny deny"],
    ["ask_all", "ask ask ask ask"],
    ["ask", "allow ask ask ask"],
    ["deny_destructive", "allow allow allow deny"],
    ["auto", "allow allow allow allow"],
  ] as const)("%s", (m, expected) => {
    const verdicts = Risk.options.map((risk) => ask(m, "full", undefined, { risk, kind: "execute" }));
    expect(verdicts.join(" ")).toBe(expected);
  });

  it("asks for interaction, but never in mode deny", () => {
    for (const m of PermissionMode.options) {
      const verdict = ask(m, "read_only", "always", { risk: "low", kind: "interaction" });
      expect(verdict).toBe(m === "deny" ? "deny" : "ask");
    }
  });
});

describe("access", () => {
  it("read_only refuses writes and commands, but for those that only read", () => {
    for (const m of PermissionMode.options) {
      expect(ask(m, "read_only", undefined, { risk: "medium", kind: "write" })).toBe("deny");
      expect(ask(m, "read_only", undefined, { risk: "high", kind: "execute" })).toBe("deny");
    }
    expect(ask("auto", "read_only", undefined, { risk: "medium", kind: "execute" })).toBe("allow");
    expect(ask("ask", "read_only", undefined, { risk: "medium", kind: "execute" })).toBe("ask");
    expect(ask("auto", "read_only", undefined, { risk: "low", kind: "read" })).toBe("allow");
  });

  it("read_only lets the network and unknown tools through only by a human", () => {
    for (const kind of ["network", "other"] as const) {
      expect(ask("auto", "read_only", undefined, { risk: "high", kind })).toBe("deny");
      expect(ask("deny_destructive", "read_only", undefined, { risk: "high", kind })).toBe("deny");
      expect(ask("ask", "read_only", undefined, { risk: "high", kind })).toBe("ask");
    }
    expect(ask("auto", "read_only", undefined, { risk: "low", kind: "other" })).toBe("allow");
  });

  it("workspace_write stops writes outside", () => {
    const outside = { risk: "high", kind: "write", outside: true } as const;
    expect(ask("auto", "workspace_write", undefined, outside)).toBe("deny");
    expect(ask("deny_destructive", "workspace_write", undefined, outside)).toBe("deny");
    expect(ask("ask", "workspace_write", undefined, outside)).toBe("ask");
    expect(ask("auto", "workspace_write", undefined, { ...outside, kind: "read" })).toBe("allow");
    expect(ask("auto", "full", undefined, outside)).toBe("allow");
  });
});

describe("supervision", () => {
  it.each([
    ["always", "ask ask"],
    ["conditional", "allow ask"],
    ["destructive", "allow ask"],
    ["advisory", "allow allow"],
    ["none", "allow allow"],
  ] as const)("%s", (h, expected) => {
    const low = ask("auto", "full", h, { risk: "low", kind: "other" });
    const medium = ask("auto", "full", h, { risk: "medium", kind: "write" });
    expect(`${low} ${medium}`).toBe(expected);
    expect(ask("deny_destructive", "full", h, { risk: "destructive", kind: "write" })).toBe("deny");
  });

  it("lets reads be when it is conditional", () => {
    expect(ask("auto", "full", "conditional", { risk: "high", kind: "read", outside: true })).toBe("allow");
  });
});

describe("properties", () => {
  const question = fc.record({ mode, access, hitl, classification });

  it("is total and says why", () => {
    fc.assert(
      fc.property(question, ({ hitl: h, ...q }) => {
        const { verdict, reason } = decide({ ...q, ...(h === undefined ? {} : { hitl: h }) });
        expect(["allow", "ask", "deny"]).toContain(verdict);
        expect(reason).not.toBe("");
      }),
    );
  });

  it("never loosens when access or supervision get stricter", () => {
    fc.assert(
      fc.property(question, access, fc.constantFrom(...Hitl.options), (q, otherAccess, otherHitl) => {
        const c = q.classification;
        const before = ask(q.mode, q.access, q.hitl, c);
        const narrow = ask(q.mode, strictestAccess(q.access, otherAccess), q.hitl, c);
        const watched = ask(q.mode, q.access, strictestHitl(q.hitl ?? "none", otherHitl), c);
        expect(WEIGHT[narrow]).toBeGreaterThanOrEqual(WEIGHT[before]);
        expect(WEIGHT[watched]).toBeGreaterThanOrEqual(WEIGHT[before]);
      }),
      { numRuns: 2000 },
    );
  });

  it("never lets more run without a human when the mode gets stricter", () => {
    fc.assert(
      fc.property(question, mode, (q, otherMode) => {
        const before = ask(q.mode, q.access, q.hitl, q.classification);
        const after = ask(strictestMode(q.mode, otherMode), q.access, q.hitl, q.classification);
        fc.pre(q.classification.risk !== "low");
        if (before !== "allow") expect(after).not.toBe("allow");
      }),
      { numRuns: 2000 },
    );
  });

  it("has strictest functions that are orders", () => {
    const check = <T>(options: readonly T[], strictest: (a: T, b: T) => T): void => {
      for (const a of options)
        for (const b of options) {
          expect(strictest(a, b)).toBe(strictest(b, a));
          expect([a, b]).toContain(strictest(a, b));
          for (const c of options) expect(strictest(strictest(a, b), c)).toBe(strictest(a, strictest(b, c)));
        }
    };
    check(PermissionMode.options, strictestMode);
    check(Access.options, strictestAccess);
    check(Hitl.options, strictestHitl);
    expect(strictestMode("auto", "ask")).toBe("ask");
    expect(strictestAccess("full", "read_only")).toBe("read_only");
    expect(strictestHitl("always", "none")).toBe("always");
  });
});
