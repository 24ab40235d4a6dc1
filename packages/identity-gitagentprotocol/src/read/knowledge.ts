import { posix } from "node:path";
import { checkRelativePath } from "../files/safe-path.ts";
import type { GapDocument } from "../model/gap-agent.ts";
import { checkLenient } from "../parse/lenient.ts";
import { type DataPath, placeIn } from "../parse/pointer.ts";
import { parseYaml } from "../parse/yaml-source.ts";
import { KnowledgeIndex } from "../schema/knowledge.ts";
import type { IdentityFolder, TextResult } from "./identity-folder.ts";
import type { Report } from "./report.ts";

const INDEX = "knowledge/index.yaml";
const MAX_INDEX_BYTES = 64 * 1024;
/** So much of one document, and of all of them, becomes part of the instructions. */
const MAX_BYTES = 64 * 1024;
const MAX_TOTAL_BYTES = 256 * 1024;
const Entry = KnowledgeIndex.shape.documents.element;

/** Reads the documents that `knowledge/index.yaml` marks `always_load`. Whatever is wrong with one is a notice, never a problem. */
export async function readKnowledge(folder: IdentityFolder, report: Report): Promise<GapDocument[]> {
  const note = (code: string, path: DataPath, message: string): void =>
    report.notices.add("warning", code, placeIn(INDEX, path), message);
  const index = await folder.readText(INDEX, MAX_INDEX_BYTES);
  const broken = (why: string): GapDocument[] => {
    note("gap.knowledge.index", [], `The index ${why}: no knowledge is loaded.`);
    return [];
  };
  if (index.kind === "missing") return index.link ? broken("is a link that leads outside or nowhere") : [];
  if (index.kind === "refused") return broken(index.why);
  if (index.cut) return broken(`is larger than ${MAX_INDEX_BYTES} bytes`);
  const source = parseYaml(index.text);
  if (Array.isArray(source)) return broken(source[0]?.message ?? "cannot be read");
  const found = entriesOf(source.data);
  if (!found) return broken("has no list of documents");
  for (const key of found.otherKeys) note("gap.unknown_key", [key], `The key "${key}" has no effect.`);

  const documents: GapDocument[] = [];
  const paths = new Set<string>();
  let left = MAX_TOTAL_BYTES;
  for (const [position, data] of found.entries.entries()) {
    const at = [found.key, position];
    const entry = checkLenient(Entry, data);
    for (const path of entry.unknownKeys) note("gap.unknown_key", [...at, ...path], "This key has no effect.");
    for (const { path, message } of entry.violations) {
      note("gap.knowledge.entry", [...at, ...path], `${message}: the document is not loaded.`);
    }
    if (!entry.value) continue;
    if (entry.value.always_load !== true) {
      note("gap.unsupported.knowledge", at, "The document is not marked always_load: it is not part of the prompt.");
      continue;
    }
    const refusal = checkRelativePath(posix.normalize(entry.value.path));
    if ("reason" in refusal) {
      note("gap.knowledge.path", [...at, "path"], `The path ${refusal.reason}: the document is not loaded.`);
      continue;
    }
    const file = `knowledge/${refusal.join("/")}`;
    if (paths.has(file)) continue;
    paths.add(file);
    const limit = Math.min(MAX_BYTES, left);
    const content: TextResult =
      limit === 0
        ? { kind: "refused", why: "is beyond what all knowledge may hold" }
        : await folder.readText(file, limit);
    if (content.kind !== "text") {
      const why = content.kind === "missing" ? "is missing or leads outside" : content.why;
      note("gap.knowledge.unread", [...at, "path"], `${file} ${why}: it is not loaded.`);
      continue;
    }
    left -= Buffer.byteLength(content.text);
    if (content.cut) {
      left = Math.max(0, left - 4);
      note("gap.knowledge.cut", [...at, "path"], `Only the first ${limit} bytes of ${file} are loaded.`);
    }
    if (content.text.trim() !== "") documents.push({ file, text: content.text });
  }
  return documents;
}

/** The list under `documents`, or under `entries` as another dialect calls it. */
function entriesOf(data: unknown) {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return undefined;
  const lists = new Map<string, unknown>(Object.entries(data));
  const key = lists.has("documents") ? "documents" : "entries";
  const entries: unknown = lists.get(key);
  if (!Array.isArray(entries)) return undefined;
  const list: readonly unknown[] = entries;
  return { key, entries: list, otherKeys: [...lists.keys()].filter((name) => name !== key) };
}
