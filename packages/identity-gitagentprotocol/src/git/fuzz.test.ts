import { WireError } from "@computeragent/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testFolders } from "../fixtures/folders.ts";
import { git, makeRepository } from "../fixtures/git-repository.ts";
import { forgePath } from "./forge-path.ts";
import { refRefusal } from "./ref-name.ts";
import { type GitSpelling, parseGitSource } from "./spelling.ts";
import { parseTree } from "./tree-listing.ts";

const name = fc.stringMatching(/^[a-z0-9][a-z0-9._]{0,8}[a-z0-9]$/).filter((text) => !/\.git$|\.lock$|\.\./.test(text));
const names = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const syntax = fc.constantFrom(
  "-",
  "--x=y",
  "ext::",
  ":",
  "/",
  "#",
  "@",
  "..",
  "%2d",
  "%00",
  "/tree/",
  "/-/tree/",
  ".git",
  "?",
  "[::1]",
  "\n",
);
const scheme = fc.constantFrom(
  "https://",
  "http://127.0.0.1/",
  "ssh://",
  "file://",
  "/",
  "git@host:",
  "host.example/",
  "github.com/",
  "",
);
const hostile = fc
  .tuple(scheme, fc.array(fc.oneof(syntax, name, fc.string({ maxLength: 3 })), { maxLength: 8 }))
  .map(([start, parts]) => start + parts.join(""));
const maybe = <T>(what: fc.Arbitrary<T>) => fc.option(what, { nil: undefined });

function parsed(spelling: GitSpelling) {
  try {
    return parseGitSource(spelling);
  } catch (error) {
    if (WireError.isInstance(error)) return undefined;
    throw error;
  }
}

describe("the parsers of git sources", { timeout: 60_000 }, () => {
  it("give git no option, no other transport and no way out of the repository", () => {
    fc.assert(
      fc.property(hostile, maybe(hostile), maybe(hostile), (url, ref, subdir) => {
        const target = parsed({ url, ref, subdir });
        if (!target) return;
        expect(target.url).toMatch(/^(?:https?|ssh|file):\/\/[^-]|^[^-/:][^/:]*:[^:-]/);
        for (const text of [target.url, target.ref ?? "", target.page ?? ""])
          expect(text).not.toMatch(/^-|[\0\n]|^ext::/);
        for (const folder of [target.subdir, target.page])
          expect(folder ?? "x").not.toMatch(/(?:^|\/)\.\.?(?:\/|$)|^\//);
        if (target.ref !== undefined) expect(refRefusal(target.ref)).toBeUndefined();
      }),
      { numRuns: 5_000 },
    );
  });

  it("mean the same by fields, fragments, tags and pages", () => {
    fc.assert(
      fc.property(name, names, (ref, subdir) => {
        const url = "https://github.com/org/repo";
        const expected = { protocol: "https", url, shown: url, ref, subdir };
        expect(parseGitSource({ url, ref, subdir })).toEqual(expected);
        expect(parseGitSource({ url: `${url}#${ref}:${subdir}` })).toEqual(expected);
        expect(parseGitSource({ url: `github.com/org/repo@${ref}`, subdir })).toEqual(expected);
        expect(parseGitSource({ url: `${url}/tree/${ref}/${subdir}` })).toEqual({
          ...expected,
          page: `${ref}/${subdir}`,
        });
        expect(parseGitSource({ url: `${url}/tree/${ref}/${subdir}`, ref })).toEqual(expected);
        expect(parseGitSource({ url: `${url}/tree/${ref}/${subdir}`, subdir })).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it("read a page by whichever part of it is given", () => {
    fc.assert(
      fc.property(names, names, (ref, subdir) => {
        const url = `github.com/org/repo/tree/${ref}/${subdir}`;
        expect(parseGitSource({ url, ref })).toMatchObject({ ref, subdir });
        expect(parseGitSource({ url, subdir })).toMatchObject({ ref, subdir });
        expect(parseGitSource({ url })).toMatchObject({ page: `${ref}/${subdir}` });
      }),
      { numRuns: 500 },
    );
  });

  it("lose no name of a web address", () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.boolean(), (text, withoutScheme) => {
        const url = new URL(text);
        if (url.pathname.split("/").every((part) => part === "")) {
          expect(() => forgePath(url, withoutScheme)).toThrow(WireError);
          return;
        }
        const found = forgePath(url, withoutScheme);
        expect(found.path).toMatch(/^\/./);
        const all = url.pathname.replaceAll(/\/+/g, "/").replace(/\/$/, "");
        expect(all.startsWith(found.path)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("read every line of a tree, and nothing else", () => {
    const entry = fc.record({
      mode: fc.constantFrom("100644", "100755", "120000", "160000"),
      id: fc.stringMatching(/^[0-9a-f]{40}$/),
      path: fc.string({ minLength: 1, unit: "binary" }).filter((path) => !path.includes("\0")),
    });
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const kind = (mode: string): string => (mode === "160000" ? "commit" : "blob");
        const output = entries.map(({ mode, id, path }) => `${mode} ${kind(mode)} ${id}\t${path}\0`).join("");
        expect(parseTree(output)).toEqual(entries);
      }),
    );
    fc.assert(fc.property(fc.string({ unit: "binary" }), (noise) => void parseTree(noise)));
  });
});

describe("refRefusal", { timeout: 60_000 }, () => {
  it("lets through only what git takes as a name", async () => {
    await using folders = await testFolders();
    await makeRepository(folders.root, { a: "a" });
    const part = fc.constantFrom(
      "a",
      "-",
      ".",
      "/",
      "..",
      "@",
      "{",
      "~",
      "^",
      ":",
      ".lock",
      "*",
      "[",
      "\\",
      " ",
      "\u007f",
      "é",
    );
    const text = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(text, async (ref) => {
        const taken = await git(folders.root, "check-ref-format", `refs/heads/${ref}`).then(
          () => true,
          () => false,
        );
        if (refRefusal(ref) === undefined) expect(taken).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});
