/** Shorter values are words, not secrets. */
const MIN_SECRET = 8;

/** The text without these values, and without anything that looks like a credential. */
export function scrub(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length >= MIN_SECRET) clean = clean.replaceAll(secret, "***");
  }
  return clean
    .replace(/\b(sk-[A-Za-z0-9-]{4})[A-Za-z0-9_-]+/g, "$1***")
    .replace(/\b(Bearer\s+)[A-Za-z0-9._~+/=-]{8,}/gi, "$1***");
}
