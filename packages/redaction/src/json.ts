/** Applies `mask` to every string leaf; what does not change keeps its identity, keys and shape stay. */
export function maskLeaves<T>(value: T, mask: (text: string) => string): T;
export function maskLeaves(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? maskItems(value, mask) : maskFields(value, mask);
}

function maskItems(items: readonly unknown[], mask: (text: string) => string): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const masked = maskLeaves(items[i], mask);
    if (masked === items[i]) continue;
    copy ??= items.slice();
    copy[i] = masked;
  }
  return copy ?? items;
}

function maskFields(fields: object, mask: (text: string) => string): object {
  const entries = Object.entries(fields);
  let changed = false;
  for (const entry of entries) {
    const masked = maskLeaves<unknown>(entry[1], mask);
    changed ||= masked !== entry[1];
    entry[1] = masked;
  }
  return changed ? Object.fromEntries(entries) : fields;
}
