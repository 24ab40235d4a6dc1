import { type Attachment, WireError } from "@computeragent/protocol";
import { parsePath } from "./rel-path.ts";
import type { WorkspaceFs } from "./workspace-fs.ts";

const PARALLEL = 8;

/** Writes the attachments of a create body. All are checked before the first is written; errors carry a pointer into the body. */
export async function writeAttachments(fs: WorkspaceFs, attachments: readonly Attachment[]): Promise<void> {
  const seen = new Set<string>();
  const files = attachments.map((attachment, index) => {
    const { shown } = pointed(index, "path", () => parsePath(attachment.path));
    const bytes = pointed(index, "content", () => decode(attachment));
    if (seen.has(shown)) throw invalid(index, "path", "Two attachments have the same path");
    seen.add(shown);
    return { shown, bytes, index };
  });
  for (let start = 0; start < files.length; start += PARALLEL) {
    const batch = files.slice(start, start + PARALLEL);
    const results = await Promise.allSettled(batch.map(({ shown, bytes }) => fs.write(shown, bytes)));
    for (const [offset, result] of results.entries()) {
      if (result.status === "rejected") throw withPointer(result.reason, start + offset, "path");
    }
  }
}

function decode({ content, encoding }: Attachment): Uint8Array {
  if (encoding === "base64") {
    const bytes = Buffer.from(content, "base64");
    if (bytes.toString("base64") !== content) throw new WireError("VALIDATION", "The content is not valid base64");
    return bytes;
  }
  if (!content.isWellFormed()) throw new WireError("VALIDATION", "The content is not valid Unicode");
  return Buffer.from(content, "utf8");
}

function pointed<T>(index: number, field: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw withPointer(error, index, field);
  }
}

function withPointer(error: unknown, index: number, field: string): unknown {
  if (!WireError.isInstance(error)) return error;
  const place = { pointer: `/attachments/${index}/${field}`, message: error.message };
  return new WireError(error.code, error.message, { errors: [place], cause: error });
}

function invalid(index: number, field: string, message: string): unknown {
  return withPointer(new WireError("VALIDATION", message), index, field);
}
