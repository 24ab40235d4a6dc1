/** A percent-encoded part of a URL; what is not encoded correctly stands for itself. */
export function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
