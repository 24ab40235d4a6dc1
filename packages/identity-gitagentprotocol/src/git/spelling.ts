import { checkRelativePath, hasControlCharacter } from "../files/safe-path.ts";
import { decode } from "./decode.ts";
import { type Located, locate } from "./locations.ts";
import { isCommitId, refRefusal } from "./ref-name.ts";
import { unreachable } from "./unreachable.ts";

/** A git source taken apart. `url` is what git gets and `shown` what people get; neither holds a secret. */
export interface GitTarget extends Located {
  /** Branch, tag or commit id; undefined is the remote's default branch. */
  readonly ref?: string;
  /** Folder inside the repository, with `/`. */
  readonly subdir?: string;
  /** `<ref>/<folder>` of a page whose ref may hold slashes: then `ref` and `subdir` are a first guess, and its refs decide. */
  readonly page?: string;
}

/** A git source as a caller spells it. */
export interface GitSpelling {
  readonly url: string;
  readonly ref?: string | undefined;
  readonly subdir?: string | undefined;
}

/**
 * Reads https, ssh and scp spellings, `host/org/repo[/sub/dir]` without a scheme, `/tree/<ref>/<dir>` pages, file URLs and
 * absolute paths, each with an optional `#ref` or `#ref:subdir`; after the repository of all but paths `@tag` may stand. Throws `WireError` SOURCE_UNREACHABLE.
 */
export function parseGitSource({ url: spelled, ref, subdir }: GitSpelling): GitTarget {
  const hash = spelled.indexOf("#");
  const [base, fragment] = hash === -1 ? [spelled, ""] : [spelled.slice(0, hash), spelled.slice(hash + 1)];
  const blank = spelled.startsWith("/") ? /\\/ : /[\s\\]/;
  if (hasControlCharacter(spelled) || blank.test(base) || /\\/.test(fragment) || !spelled.isWellFormed()) {
    throw unreachable("The git URL holds characters that are not allowed");
  }
  if (spelled.startsWith("-")) throw unreachable("The git URL must not begin with a hyphen");
  if (/^[a-z0-9+.-]*::/i.test(spelled)) throw unreachable("Transport helpers are not allowed in a git URL");
  const colon = fragment.indexOf(":");
  const parts = colon === -1 ? [fragment, ""] : [fragment.slice(0, colon), fragment.slice(colon + 1)];
  const { ref: pathRef, subdir: pathDir, page, ...located } = locate(base);
  // Of a URL, the fragment is spelled as URLs are; a path or `git@host:path` is none.
  const isUrl = base.includes("://") || located.protocol === "https";
  const [fragmentRef, fragmentDir] = isUrl ? parts.map(decode) : parts;
  const givenRef = agree("ref", [ref, fragmentRef]);
  const givenDir = agree("subdir", [subdir, fragmentDir].map(tidyFolder));
  const fromPath =
    page === undefined ? { ref: pathRef, subdir: tidyFolder(pathDir) } : splitPage(page, givenRef, givenDir);
  const namedRef = agree("ref", [givenRef, fromPath.ref]);
  const chosenRef = namedRef !== undefined && isCommitId(namedRef.toLowerCase()) ? namedRef.toLowerCase() : namedRef;
  const chosenDir = agree("subdir", [givenDir, fromPath.subdir]);
  if (chosenRef !== undefined) {
    const refusal = refRefusal(chosenRef);
    if (refusal) throw unreachable(`The git ref ${refusal}`);
  }
  if (chosenDir !== undefined) {
    const names = checkRelativePath(chosenDir);
    if ("reason" in names) throw unreachable(`The subfolder of the git source ${names.reason}`);
  }
  return {
    ...located,
    ...(page !== undefined && givenRef === undefined && givenDir === undefined ? { page } : {}),
    ...(chosenRef === undefined ? {} : { ref: chosenRef }),
    ...(chosenDir === undefined ? {} : { subdir: chosenDir }),
  };
}

/** Takes a page's `<ref>/<folder>` apart by what else the caller said; without that, the ref is the first name. */
function splitPage(page: string, ref: string | undefined, subdir: string | undefined) {
  if (ref === undefined && subdir !== undefined) {
    return { ref: page.endsWith(`/${subdir}`) ? page.slice(0, -subdir.length - 1) : page, subdir };
  }
  if (ref === page) return { ref, subdir };
  const length = ref !== undefined && page.startsWith(`${ref}/`) ? ref.length : page.indexOf("/");
  return { ref: page.slice(0, length), subdir: tidyFolder(page.slice(length + 1)) };
}

/** The one value that is given; two different ones are an error, not a guess. */
function agree(what: string, values: readonly (string | undefined)[]): string | undefined {
  const given = new Set(values.filter((value) => value !== undefined && value !== ""));
  if (given.size > 1) throw unreachable(`The git source names two different values for ${what}`);
  return [...given][0];
}

function tidyFolder(path: string | undefined): string | undefined {
  const tidy = path?.replace(/^(?:\.\/+)+/, "").replace(/\/+$/, "");
  return tidy === "." || tidy === "" ? undefined : tidy;
}
