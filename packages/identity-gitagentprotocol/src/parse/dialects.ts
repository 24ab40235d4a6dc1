import type { Hitl } from "@computeragent/protocol";
import type { Violation } from "./lenient.ts";

/** What other dialects say and the published schema does not know, taken out of a manifest's data. */
export interface DialectExtras {
  readonly hitl?: Hitl;
  readonly budgetUsd?: number;
  readonly violations: readonly Violation[];
  /** What was mended: harmless in another dialect, so worth a notice only. */
  readonly mended: readonly Violation[];
}

/**
 * Rewrites the spellings of later dialects in `data` (changed in place) to those of the published schema:
 * `runtime.budget_usd` is taken out, `human_in_the_loop: destructive` becomes its nearest kin `conditional`,
 * a missing description becomes the name, metadata that is no text, number or flag is taken out.
 */
export function normaliseDialects(data: unknown): DialectExtras {
  const violations: Violation[] = [];
  const budget = takeBudget(data, violations);
  const mended = [...mendDescription(data), ...dropMetadata(data)];
  const supervision = objectAt(objectAt(data, "compliance"), "supervision");
  const destructive = supervision?.human_in_the_loop === "destructive";
  if (supervision && destructive) supervision.human_in_the_loop = "conditional";
  return {
    violations,
    mended,
    ...(destructive ? { hitl: "destructive" } : {}),
    ...(budget === undefined ? {} : { budgetUsd: budget }),
  };
}

function mendDescription(data: unknown): Violation[] {
  if (!isObject(data) || Object.hasOwn(data, "description") || typeof data.name !== "string") return [];
  data.description = data.name;
  return [{ path: ["description"], message: "There is no description: the name stands for it." }];
}

function dropMetadata(data: unknown): Violation[] {
  const metadata = objectAt(data, "metadata") ?? {};
  return Object.entries(metadata).flatMap(([key, value]) => {
    if (["string", "number", "boolean"].includes(typeof value) || !Reflect.deleteProperty(metadata, key)) return [];
    return [{ path: ["metadata", key], message: "Metadata must be text, a number, true or false: it has no effect." }];
  });
}

function takeBudget(data: unknown, violations: Violation[]): number | undefined {
  const runtime = objectAt(data, "runtime");
  if (!runtime || !Object.hasOwn(runtime, "budget_usd")) return undefined;
  const budget = runtime.budget_usd;
  delete runtime.budget_usd;
  if (typeof budget === "number" && Number.isFinite(budget) && budget > 0) return budget;
  violations.push({ path: ["runtime", "budget_usd"], message: "must be a number above 0" });
  return undefined;
}

function objectAt(data: unknown, key: string): Record<string, unknown> | undefined {
  const value: unknown = isObject(data) ? data[key] : undefined;
  return isObject(value) ? value : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
