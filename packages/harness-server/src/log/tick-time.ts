let time = 0;

/** `Date.now()`, read once in a tick of the event loop: an engine can say a thousand things in one. */
export function tickTime(): number {
  if (time === 0) {
    time = Date.now();
    setImmediate(forget);
  }
  return time;
}

function forget(): void {
  time = 0;
}
