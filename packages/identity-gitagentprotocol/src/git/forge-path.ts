import { decode } from "./decode.ts";
import { unreachable } from "./unreachable.ts";

/** A web address taken apart. `path` begins with `/`. */
export interface ForgePath {
  readonly path: string;
  readonly ref?: string;
  readonly subdir?: string;
  /** What follows `/tree/` when it has several names: only the repository's refs tell where the ref ends. */
  readonly page?: string;
}

/** Hosts whose repositories are always `/<owner>/<name>`. */
const TWO_NAMES = new Set(["github.com", "www.github.com", "bitbucket.org", "codeberg.org"]);

/**
 * Splits the path of a web address into repository, `/tree/<ref>` (or `/-/tree/<ref>`) and folder. A name that ends in
 * `.git`, or a page below `/-/`, ends the repository; otherwise it has two names on the big forges and wherever no scheme was written, and
 * takes the whole path elsewhere. A tag may follow the repository: `owner/name@v1.0.0`.
 */
export function forgePath(url: URL, withoutScheme: boolean): ForgePath {
  const names = url.pathname.split("/").filter((name) => name !== "");
  if (names.length === 0) throw unreachable("The git URL names no repository");
  const dotGit = names.findIndex((name) => /\.git(?:@|$)/.test(name));
  const page = names.findIndex((name, index) => name === "-" && names[index + 1] === "tree");
  const ends = [
    dotGit === -1 ? undefined : dotGit + 1,
    page === -1 ? undefined : page,
    withoutScheme || TWO_NAMES.has(url.hostname) ? 2 : undefined,
  ];
  const length = ends.find((end) => end !== undefined) ?? names.length;
  const { repository, tag } = splitTag(names.slice(0, length));
  const rest = names.slice(length);
  if (rest[0] === "-") rest.shift();
  const isPage = rest[0] === "tree" && rest.length > 1;
  const ref = isPage ? decode(rest[1] ?? "") : tag;
  const subdir = rest
    .slice(isPage ? 2 : 0)
    .map(decode)
    .join("/");
  return {
    path: `/${repository.join("/")}`,
    ...(ref === undefined ? {} : { ref }),
    ...(subdir === "" ? {} : { subdir }),
    ...(isPage && subdir !== "" ? { page: `${ref}/${subdir}` } : {}),
  };
}

/** Takes a tag off the last name of a repository: `name@v1.0.0`. */
export function splitTag(names: readonly string[]): { readonly repository: readonly string[]; readonly tag?: string } {
  const last = names.at(-1) ?? "";
  const at = last.lastIndexOf("@");
  if (at <= 0 || at === last.length - 1) return { repository: names };
  return { repository: [...names.slice(0, -1), last.slice(0, at)], tag: decode(last.slice(at + 1)) };
}
