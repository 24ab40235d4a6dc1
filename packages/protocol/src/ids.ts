/** What a caller may choose as a session id. */
export const SESSION_ID_PATTERN = /^[A-Za-z0-9_-]{1,128}$/;

/** Prefixes of generated ids. */
export type IdPrefix = "sess" | "msg" | "turn" | "call" | "host";

/** Random bytes for the next ids: asking the system for each one costs more than all the rest of it. */
let pool = new Uint8Array(0);
let used = 0;

function randomBytes(count: number): Uint8Array {
  if (used + count > pool.length) {
    pool = crypto.getRandomValues(new Uint8Array(64 * count));
    used = 0;
  }
  used += count;
  return pool.slice(used - count, used);
}

/**
 * A UUIDv7 (RFC 9562): 48 bits of milliseconds, 74 random bits, lower-case with dashes.
 * Ids made later sort later, up to the millisecond.
 */
export function uuidv7(now: number = Date.now()): string {
  const bytes = randomBytes(16);
  let rest = now;
  for (let i = 5; i >= 0; i--) {
    bytes[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A fresh id such as `sess_0193…`. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${uuidv7()}`;
}
