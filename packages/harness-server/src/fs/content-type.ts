const SNIFFED_BYTES = 4100;
const TEXTUAL =
  /^text\/|[+/](json|xml|yaml|toml|javascript|ecmascript|graphql|sql|rtf|x-sh|x-httpd-php|x-ndjson|json5|jsonl)$/;
const ACTIVE = /^(text\/html|application\/xhtml\+xml|text\/xsl|text\/xml|application\/xml|[^;]*\+xml)(;|$)/;
const XML = /[+/]xml$/;

/**
 * The media type of a file from its first bytes, else its name, else text/plain or application/octet-stream.
 * Content decides between text and binary: a TypeScript file is no video, whatever its extension says.
 */
export async function contentType(name: string, head: Uint8Array, complete: boolean): Promise<string> {
  const [{ fileTypeFromBuffer }, { default: mime }] = await Promise.all([import("file-type"), import("mime-types")]);
  const byName = mime.lookup(name) || undefined;
  const sniffed = await fileTypeFromBuffer(head.subarray(0, SNIFFED_BYTES)).catch(() => undefined);
  if (sniffed !== undefined && !XML.test(sniffed.mime)) return sniffed.mime;
  if (!looksLikeText(head, complete)) return byName ?? sniffed?.mime ?? "application/octet-stream";
  if (byName !== undefined && TEXTUAL.test(byName) && (sniffed === undefined || XML.test(byName))) return utf8(byName);
  return utf8(sniffed?.mime ?? "text/plain");
}

/** True for types that a browser would run scripts of, on the origin that serves them. */
export function isActive(type: string): boolean {
  return ACTIVE.test(type);
}

function utf8(type: string): string {
  return `${type}; charset=utf-8`;
}

function looksLikeText(head: Uint8Array, complete: boolean): boolean {
  if (head.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: !complete });
    return true;
  } catch {
    return false;
  }
}
