import { isRecord, listAt, recordAt } from "./raw.ts";

/** `allowed-tools` as a list and metadata that is not text, as the loader forgives them. Changes `data`. */
export function normaliseSkill(data: unknown): readonly [] {
  if (!isRecord(data)) return [];
  const tools = data["allowed-tools"];
  if (Array.isArray(tools) && tools.every((tool) => typeof tool === "string")) data["allowed-tools"] = tools.join(" ");
  const metadata = recordAt(data, "metadata") ?? {};
  for (const [key, value] of Object.entries(metadata)) {
    if (typeof value === "number" || typeof value === "boolean") metadata[key] = String(value);
  }
  return [];
}

/** `implementation.script`, the later name of `path`. Changes `data`. */
export function normaliseTool(data: unknown): readonly [] {
  rename(recordAt(data, "implementation"), "script", "path");
  return [];
}

/** `entries`, another product's name of `documents`. Changes `data`. */
export function normaliseKnowledge(data: unknown): readonly [] {
  if (listAt(data, "entries").length > 0) rename(data, "entries", "documents");
  return [];
}

function rename(data: unknown, from: string, to: string): void {
  if (!isRecord(data) || !Object.hasOwn(data, from) || Object.hasOwn(data, to)) return;
  data[to] = data[from];
  delete data[from];
}
