import { type DeleteQuery, type FileQuery, type FileWritten, WireError } from "@computeragent/protocol";
import type { Context } from "hono";
import type { z } from "zod";
import { type ByteRange, parseRange } from "../../../../fs/byte-range.ts";
import { contentType, isActive } from "../../../../fs/content-type.ts";
import { ifMatchHolds, ifNoneMatchHolds, parseTags } from "../../../../fs/preconditions.ts";
import type { OpenedFile } from "../../../../fs/read-file.ts";
import { quote } from "../../../../fs/rel-path.ts";
import type { WorkspaceFs } from "../../../../fs/workspace-fs.ts";
import { type JsonAnswer, json } from "../../../../http/answer.ts";
import { refuseCoding } from "../../../../http/coding.ts";
import { conditionsOf } from "./conditions.ts";

/**
 * GET (and HEAD) …/fs/file: the bytes, or one range of them. `If-Match`, `If-None-Match` and `If-Range` (a tag; a date never
 * matches) compare with the ETag or with the SHA-256 that a write answered.
 */
export async function getFile(c: Context, fs: WorkspaceFs, parsed: z.infer<typeof FileQuery>): Promise<Response> {
  const file = await fs.open(parsed.path);
  let streaming = false;
  try {
    const headers = await headersOf(file, parsed);
    const ifMatch = c.req.header("if-match");
    const ifNoneMatch = c.req.header("if-none-match");
    if (ifMatch !== undefined && !(await ifMatchHolds(ifMatch, file.hasTag))) {
      throw new WireError("PRECONDITION_FAILED", `${quote(parsed.path)} is not what If-Match names`);
    }
    if (ifNoneMatch !== undefined && !(await ifNoneMatchHolds(ifNoneMatch, file.hasTag))) {
      return new Response(null, { status: 304, headers });
    }
    const head = c.req.method === "HEAD";
    const range = head ? null : await wantedRange(c, file);
    if (range === "unsatisfiable") return unsatisfiable(file.size);
    const { start, end } = range ?? { start: 0, end: file.size };
    headers.set("Content-Length", String(end - start));
    if (range !== null) headers.set("Content-Range", `bytes ${start}-${end - 1}/${file.size}`);
    if (head || start === end) return new Response(null, { status: 200, headers });
    const response = new Response(file.stream(start, end), { status: range === null ? 200 : 206, headers });
    streaming = true;
    return response;
  } finally {
    if (!streaming) await file.close();
  }
}

/** PUT …/fs/file: replaces the file by the request's body, which is streamed. Part of a file, or coded content, is refused. */
export async function putFile(c: Context, fs: WorkspaceFs, parsed: z.infer<typeof FileQuery>): Promise<JsonAnswer> {
  refuseCoding(c.req.header("content-encoding"));
  if (c.req.header("content-range") !== undefined) {
    throw new WireError("VALIDATION", "Content-Range: a file is replaced as a whole, not in parts");
  }
  const length = c.req.header("content-length");
  const written = await fs.write(parsed.path, c.req.raw.body ?? new Uint8Array(), {
    ...conditionsOf(c),
    size: length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined,
  });
  const answer: FileWritten = { ok: true, ...written };
  return json(answer, 200, { etag: `"${answer.sha}"` });
}

/** DELETE …/fs/file: deletes a file, an empty folder or, with `recursive=true`, a full one. */
export async function deleteFile(
  c: Context,
  fs: WorkspaceFs,
  parsed: z.infer<typeof DeleteQuery>,
): Promise<JsonAnswer> {
  await fs.remove(parsed.path, parsed.recursive === "true", conditionsOf(c));
  return json({ ok: true });
}

/** A workspace file must never act as a page or script of the host's origin, so types are fixed, sandboxed and, if active, saved. */
async function headersOf(file: OpenedFile, { path, format }: z.infer<typeof FileQuery>): Promise<Headers> {
  if (format === "text" && !(await file.isUtf8())) {
    throw new WireError("UNSUPPORTED_MEDIA_TYPE", `${quote(path)} is not UTF-8 text`);
  }
  const complete = file.head.length === file.size;
  const type = format === "text" ? "text/plain; charset=utf-8" : await contentType(file.name, file.head, complete);
  const headers = new Headers({
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, no-cache",
    "Content-Security-Policy": "sandbox",
    "Content-Type": type,
    ETag: `"${await file.tag()}"`,
    "Last-Modified": new Date(file.mtimeMs).toUTCString(),
    "X-Content-Type-Options": "nosniff",
  });
  if (isActive(type)) headers.set("Content-Disposition", `attachment; filename*=UTF-8''${extValue(file.name)}`);
  return headers;
}

async function wantedRange(c: Context, file: OpenedFile): Promise<ByteRange | "unsatisfiable" | null> {
  const range = parseRange(c.req.header("range"), file.size);
  const ifRange = c.req.header("if-range");
  if (range === null || ifRange === undefined) return range;
  if (!/^\s*(W\/)?"/.test(ifRange)) return null;
  const tags = parseTags(ifRange);
  return tags.length === 1 && (await file.hasTag(tags[0] ?? "")) ? range : null;
}

function unsatisfiable(size: number): Response {
  const error = new WireError("RANGE_NOT_SATISFIABLE", `The file has ${size} bytes`);
  const headers = { "Content-Type": "application/problem+json", "Content-Range": `bytes */${size}` };
  return new Response(JSON.stringify(error.toProblem()), { status: error.status, headers });
}

/** RFC 8187: everything but unreserved characters percent-encoded. */
function extValue(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
