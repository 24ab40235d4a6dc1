import type { NoticeSink } from "../files/copy-request.ts";
import { NoticeList } from "../model/notices.ts";
import { isOfPart } from "../model/parts.ts";
import type { NotLoaded } from "./options.ts";
import { reportFile, type Scope } from "./scope.ts";

/** Why a load leaves a path out, by the notice's code. */
const WHY: Readonly<Record<string, string>> = {
  "gap.source.ignored": "is named by a .gitignore",
  "gap.source.link": "is a link that leads outside, nowhere, or to something left out",
  "gap.source.name": "has a name that is not valid UTF-8",
  "gap.source.special_file": "is not a regular file",
  "gap.source.submodule": "is a submodule, and those are not fetched",
  "gap.source.too_deep": "lies too deep",
  "gap.source.unreadable": "may not be read",
};

/** Takes the notices of a load, and keeps what they say of parts of the agent. */
export class LoadNotices implements NoticeSink {
  readonly #list = new NoticeList();
  readonly #left: NotLoaded[] = [];

  add(...[level, code, path, message]: Parameters<NoticeList["add"]>): void {
    this.#list.add(level, code, path, message);
    const why = WHY[code];
    if (why !== undefined && isOfPart(path)) this.#left.push({ path, why });
  }

  all(): ReturnType<NoticeList["all"]> {
    return this.#list.all();
  }

  notLoaded(): readonly NotLoaded[] {
    return this.#left;
  }
}

/** Parts that a load does not bring: X31, but for what another rule tells. */
export function checkNotLoaded(scope: Scope, told: readonly string[]): void {
  if (scope.depth > 0) return;
  for (const { path, why } of scope.notLoaded) {
    if (told.some((file) => file === path || file.startsWith(`${path}/`))) continue;
    reportFile(scope, "X31", path, `${why}: it is not loaded`);
  }
}
