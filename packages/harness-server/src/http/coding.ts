import { WireError } from "@computeragent/protocol";

/** Throws UNSUPPORTED_MEDIA_TYPE where a body is compressed or otherwise coded: it would be taken for what it is not. */
export function refuseCoding(contentEncoding: string | null | undefined): void {
  const coding = contentEncoding?.trim().toLowerCase() ?? "";
  if (coding === "" || coding === "identity") return;
  throw new WireError("UNSUPPORTED_MEDIA_TYPE", "Content-Encoding: a body is taken as it is, without a coding");
}
