/** The longest time that a Node timer can wait; more would fire at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/** Waits until `promise` settles or `ms` have passed; true when it settled first. Never rejects. */
export async function settledWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER_MS), false);
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
