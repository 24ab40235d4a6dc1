const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const OFFLINE_ID = /(msg|toolu|req)_offline_[0-9a-f]{8,}/g;
const TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g;
/** Ids of sub-agents and background tasks: short, known by the keys they stand under. */
const SHORT_ID_KEYS = new Set(["task_id", "agent_id", "agentId", "run_id"]);
const MEASURED = /(_ms|_seconds|Ms|_usd|USD|_time)$/;
/** Lists and texts of the installed program that say nothing about the conversation. */
const INSTALLED = new Set(["slash_commands", "terminal_slash_commands", "skills", "agents", "plugins", "owed_rows"]);

/**
 * Replaces what differs between two recordings (ids in order of appearance, times, measured numbers) and what belongs
 * to the machine (paths). `roots` maps absolute paths to what stands for them, longest first.
 */
export function scrub(value, roots) {
  const seen = new Map();
  const numbered = (text, make) => {
    if (!seen.has(text)) seen.set(text, make(seen.size + 1));
    return seen.get(text);
  };
  const shortIds = new Set();
  collect(value, (key, item) => {
    if (SHORT_ID_KEYS.has(key) && typeof item === "string") shortIds.add(item);
  });
  const text = (raw) => {
    let clean = raw;
    for (const [root, name] of roots) clean = clean.replaceAll(root, name);
    clean = clean
      .replace(UUID, (id) => numbered(id, (n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`))
      .replace(OFFLINE_ID, (id, kind) => numbered(id, (n) => `${kind}_${n}`))
      .replace(TIME, "2026-01-01T00:00:00.000Z")
      .replace(/\/tmp\/ca-\d+\/[\w/-]+/g, "/host")
      .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:7777")
      .replace(/(duration_ms|subagent_tokens): \d+/g, "$1: 0");
    for (const id of shortIds)
      clean = clean.replaceAll(
        id,
        numbered(id, (n) => `agent${n}`),
      );
    return clean;
  };
  const walk = (item, key) => {
    if (typeof item === "string") return text(item);
    if (typeof item === "number") return MEASURED.test(key) ? 0 : item;
    if (Array.isArray(item)) return INSTALLED.has(key) ? [] : item.map((inner) => walk(inner, key));
    if (typeof item !== "object" || item === null) return item;
    return Object.fromEntries(Object.entries(item).map(([name, inner]) => [name, walk(inner, name)]));
  };
  return walk(value, "");
}

function collect(value, visit) {
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    visit(key, item);
    collect(item, visit);
  }
}
