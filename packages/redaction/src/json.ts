/** Applies `mask` to every string leaf but those equal to `known`; what does not change keeps its identity, keys and shape stay. */
export function maskLeaves<T>(value: T, mask: (text: string) => string, known?: string): T;
export function maskLeaves(value: unknown, mask: (text: string) => string, known?: string): unknown {
  if (typeof value === "string") return value === known ? value : mask(value);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? maskItems(value, mask, known) : maskFields(value, mask, known);
}

function maskItems(items: readonly unknown[], mask: (text: string) => string, known?: string): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const masked = maskLeaves(items[i], mask, known);
    if (masked === items[i]) continue;
    copy ??= items.slice();
    copy[i] = masked;
  }
  return copy ?? items;
}

function maskFields(fields: object, mask: (text: string) => string, known?: string): object {
  const record = fields as Readonly<Record<string, unknown>>;
  let changed: Map<string, unknown> | undefined;
  // Faster than `Object.keys`; what is inherited is not copied below.
  for (const key in record) {
    const value = record[key];
    const masked = maskLeaves<unknown>(value, mask, known);
    if (masked === value) continue;
    changed ??= new Map();
    changed.set(key, masked);
  }
  if (!changed) return fields;
  const found = changed;
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, found.has(key) ? found.get(key) : value]),
  );
}
