/** Deeper nesting than this is refused; no manifest comes near it. */
const MAX_DEPTH = 100;

/** True when brackets or compact block markers nest so deeply that a parser would take minutes or run out of stack. */
export function tooDeepText(text: string): boolean {
  let open = 0;
  for (const character of text) {
    if (character === "[" || character === "{") open += 1;
    else if (character === "]" || character === "}") open = Math.max(0, open - 1);
    if (open > MAX_DEPTH) return true;
  }
  return /(?:^|\n) *(?:[-?:] +){100}/.test(text);
}

/** True when no value contains itself. */
export function withoutCycles(value: unknown, around: ReadonlySet<object> = new Set()): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (around.has(value)) return false;
  const inside = new Set(around).add(value);
  return Object.values(value).every((item) => withoutCycles(item, inside));
}
