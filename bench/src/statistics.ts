/** The value below which `share` (0 to 1) of the sorted values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** The middle value. */
export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Rounded to `digits` decimals. */
export const round = (value: number, digits = 2): number => Number(value.toFixed(digits));
