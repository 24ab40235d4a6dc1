import type { NoticeData } from "@computeragent/protocol";

/** So many notices of one code are kept; the rest is counted. */
const PER_CODE = 25;

/** Collects what was loaded but is not honoured. Many notices of one code end in a count instead of a flood. */
export class NoticeList {
  readonly #notices: NoticeData[] = [];
  readonly #counts = new Map<string, number>();

  add(level: NoticeData["level"], code: string, path: string, message: string): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count <= PER_CODE) this.#notices.push({ level, code, path, message });
  }

  /** Everything collected, sorted by path and code so that one source always gives one list. */
  all(): NoticeData[] {
    const sorted = [...this.#notices].sort((a, b) => compare(a.path ?? "", b.path ?? "") || compare(a.code, b.code));
    for (const [code, count] of [...this.#counts].sort(([a], [b]) => compare(a, b))) {
      if (count <= PER_CODE) continue;
      const message = `${count - PER_CODE} more notices of this kind are left out.`;
      sorted.push({ level: "info", code, message });
    }
    return sorted;
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
