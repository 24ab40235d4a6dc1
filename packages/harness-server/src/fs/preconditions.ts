import { WireError } from "@computeragent/protocol";

const TAG = /^\s*(W\/)?(?:"([\x21\x23-\x7e\x80-\xff]*)"|([^\s",]+))\s*(?:,|$)/;

/** Parses an `If-Match` / `If-None-Match` header: `*` or tags, of which a weak one keeps its `W/` and one without quotes is taken too. Throws VALIDATION. */
export function parseTags(header: string): "*" | readonly string[] {
  if (header.trim() === "*") return "*";
  const tags: string[] = [];
  for (let rest = header; rest.trim() !== ""; ) {
    const match = TAG.exec(rest);
    if (match === null) throw malformed();
    tags.push(`${match[1] ?? ""}${match[2] ?? match[3] ?? ""}`);
    rest = rest.slice(match[0].length);
  }
  if (tags.length === 0) throw malformed();
  return tags;
}

/** Compares one tag strongly with the current content of a file. */
export type HasTag = (tag: string) => Promise<boolean>;

/** True when `If-Match` holds for the current file (null = there is none). A weak tag never matches. */
export async function ifMatchHolds(header: string, has: HasTag | null): Promise<boolean> {
  const tags = parseTags(header);
  if (has === null) return false;
  return tags === "*" || some(tags, has);
}

/** True when `If-None-Match` holds for the current file (null = there is none): no tag, weak or not, names it. */
export async function ifNoneMatchHolds(header: string, has: HasTag | null): Promise<boolean> {
  const tags = parseTags(header);
  if (has === null) return true;
  if (tags === "*") return false;
  const strong = tags.map((tag) => tag.replace(/^W\//, ""));
  return !(await some(strong, has));
}

async function some(tags: readonly string[], has: HasTag): Promise<boolean> {
  for (const tag of tags) if (await has(tag)) return true;
  return false;
}

function malformed(): WireError {
  return new WireError("VALIDATION", "If-Match and If-None-Match take * or a list of quoted tags");
}
