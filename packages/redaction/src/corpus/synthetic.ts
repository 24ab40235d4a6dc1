/** A made-up run of `length` mixed letters and digits; nothing in this folder was ever a real secret. */
export function mixed(length: number): string {
  return "Ab3dEf9hIj2kLm5nOp8qRs1tUv4wXy7z".repeat(8).slice(0, length);
}

/** A made-up run of lower-case hexadecimal digits. */
export function hex(length: number): string {
  return "0a1b2c3d4e5f6789".repeat(8).slice(0, length);
}

/** A made-up run of capitals and digits. */
export function upper(length: number): string {
  return "AB2CD3EF4GH5IJ6KL7MN".repeat(4).slice(0, length);
}

/** One text with a secret in it: after masking, `secret` is gone and `[masked:kind]` is there. */
export interface MustMask {
  readonly kind: string;
  readonly secret: string;
  readonly text: string;
}
