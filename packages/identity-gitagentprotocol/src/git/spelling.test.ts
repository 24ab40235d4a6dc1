import { WireError } from "@computeragent/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type GitTarget, parseGitSource } from "./spelling.ts";

const github = "https://github.com/org/repo";

describe("git sources", () => {
  it.each<[string, Partial<GitTarget>]>([
    ["https://github.com/org/repo", { url: github, protocol: "https" }],
    ["https://github.com/org/repo.git", { url: `${github}.git` }],
    ["https://github.com/org/repo/", { url: github }],
    ["github.com/org/repo", { url: github }],
    ["github.com/org/repo/examples/standard", { url: github, subdir: "examples/standard" }],
    ["https://github.com/org/repo/examples/standard", { url: github, subdir: "examples/standard" }],
    [
      "https://github.com/org/repo/tree/v1.0/examples/standard",
      { url: github, ref: "v1.0", subdir: "examples/standard" },
    ],
    ["github.com/org/repo/tree/main", { url: github, ref: "main" }],
    ["https://gitlab.com/a/b/c/-/tree/main/x", { url: "https://gitlab.com/a/b/c", ref: "main", subdir: "x" }],
    ["https://git.example.org/a/b/c", { url: "https://git.example.org/a/b/c" }],
    ["https://git.example.org/a/b/c.git/sub", { url: "https://git.example.org/a/b/c.git", subdir: "sub" }],
    ["git.example.org/org/repo/sub", { url: "https://git.example.org/org/repo", subdir: "sub" }],
    ["https://git.example.org:8443/a/b", { url: "https://git.example.org:8443/a/b" }],
    [`${github}#dev`, { url: github, ref: "dev" }],
    [`${github}#feature/x:sub/dir`, { url: github, ref: "feature/x", subdir: "sub/dir" }],
    [`${github}#:./sub/`, { url: github, subdir: "sub" }],
    [`${github}#:my docs/a`, { url: github, subdir: "my docs/a" }],
    [`${github}#feature%2Fx:my%20docs`, { url: github, ref: "feature/x", subdir: "my docs" }],
    ["github.com/org/repo#:my%20docs", { url: github, subdir: "my docs" }],
    ["git@github.com:org/repo#:100%25", { url: "git@github.com:org/repo", subdir: "100%25" }],
    ["/srv/repo#:100%25", { path: "/srv/repo", subdir: "100%25" }],
    [`${github}#:100%`, { url: github, subdir: "100%" }],
    [`${github}#${"ABCDEF01".repeat(5)}`, { url: github, ref: "abcdef01".repeat(5) }],
    [`${github}@v2.0.0`, { url: github, ref: "v2.0.0" }],
    ["github.com/org/repo@v2/sub", { url: github, ref: "v2", subdir: "sub" }],
    ["git@github.com:org/repo.git", { url: "git@github.com:org/repo.git", protocol: "ssh" }],
    ["git@github.com:org/repo.git#v1:sub", { url: "git@github.com:org/repo.git", ref: "v1", subdir: "sub" }],
    ["ssh://git@host.example:2222/org/repo", { url: "ssh://git@host.example:2222/org/repo", protocol: "ssh" }],
    ["git@github.com:org/repo.git@v1", { url: "git@github.com:org/repo.git", ref: "v1", protocol: "ssh" }],
    ["ssh://git@host.example/org/repo@v1#:sub", { url: "ssh://git@host.example/org/repo", ref: "v1", subdir: "sub" }],
    ["host.example:org/repo", { url: "host.example:org/repo", protocol: "ssh" }],
    ["github.com/org/repo/tree/feature/x/dir", { url: github, ref: "feature", subdir: "x/dir", page: "feature/x/dir" }],
    ["/srv/repo@v1", { url: "file:///srv/repo@v1", path: "/srv/repo@v1", protocol: "file" }],
    ["http://127.0.0.1:8080/repo.git", { url: "http://127.0.0.1:8080/repo.git", protocol: "http" }],
    ["file:///srv/my%20repo", { url: "file:///srv/my%20repo", path: "/srv/my repo", protocol: "file" }],
    ["/srv/my repo", { url: "file:///srv/my%20repo", path: "/srv/my repo", protocol: "file" }],
  ])("understands %s", (url, expected) => {
    const target = parseGitSource({ url });
    expect(target).toMatchObject(expected);
    expect(target.ref).toBe(expected.ref);
    expect(target.subdir).toBe(expected.subdir);
  });

  it("takes fields of their own, and the same value twice", () => {
    expect(parseGitSource({ url: `${github}#dev`, ref: "dev", subdir: "a/b/" })).toMatchObject({
      ref: "dev",
      subdir: "a/b",
    });
    expect(() => parseGitSource({ url: `${github}#dev`, ref: "main" })).toThrow(/two different values for ref/);
    expect(() => parseGitSource({ url: `${github}#dev:a`, subdir: "b" })).toThrow(/two different values for subdir/);
  });

  it.each([
    ["--upload-pack=touch /tmp/x"],
    ["-oProxyCommand=x"],
    ["ext::sh -c id"],
    ["EXT::sh"],
    ["fd::17"],
    ["::x"],
    ["https://host/a\nb"],
    ["https://host/a b"],
    ["https://host/\u001b[2J"],
    ["https://host/a\\b"],
    ["http://example.org/a/b"],
    ["http://localhost.example.org/a/b"],
    ["git://example.org/a/b"],
    ["ftp://example.org/a/b"],
    ["javascript://example.org/a"],
    ["https://"],
    ["https://host"],
    ["https://host/a?token=secret"],
    ["ssh://-oProxyCommand=x/a/b"],
    ["ssh://user:secret@host/a/b"],
    ["ssh://-x@host/a"],
    ["-x@host:repo"],
    ["git@-oProxyCommand=x:repo"],
    ["git@host:-x"],
    ["file://host/share"],
    ["file:///a%2fb"],
    ["./relative"],
    ["../relative"],
    ["~/agents"],
    ["relative"],
    [""],
  ])("refuses %j", (url) => {
    expect(() => parseGitSource({ url })).toThrow(WireError);
  });

  it.each([
    "-x",
    "--upload-pack=x",
    "a b",
    "a..b",
    "a~1",
    "a^",
    "a:b",
    "a?",
    "a*",
    "a[",
    "a\\b",
    "@{-1}",
    "@",
    "/a",
    "a/",
    "a//b",
    ".a",
    "a/.b",
    "a.",
    "a.lock",
    "a\0",
    "a\n",
  ])("refuses the ref %j", (ref) => {
    expect(() => parseGitSource({ url: github, ref })).toThrow(/The git ref/);
  });

  it.each(["..", "../x", "a/../b", "/etc", "a\\b", ".git", "a/.git/hooks", "a\0b"])(
    "refuses the folder %j",
    (subdir) => {
      expect(() => parseGitSource({ url: github, subdir })).toThrow(/subfolder/);
    },
  );

  it("keeps credentials out of everything but the header", () => {
    const target = parseGitSource({ url: "https://user:s%40cret@github.com/org/repo/sub#main" });
    expect(target).toMatchObject({ url: github, shown: github, subdir: "sub", ref: "main" });
    expect(target.authorization).toBe(`Basic ${Buffer.from("user:s@cret").toString("base64")}`);
    expect(JSON.stringify({ ...target, authorization: "" })).not.toMatch(/cret/);
  });

  it("gives git nothing that could be an option or another transport, whatever it is given", () => {
    const part = fc.constantFrom(
      "https://",
      "ssh://",
      "file://",
      "git@",
      "-",
      "--x",
      "ext::",
      ":",
      "/",
      "github.com",
      "a",
      "#",
      "@",
      "..",
      "%",
      "\n",
      "\0",
      " ",
      "[::1]",
    );
    const text = fc.oneof(
      fc.array(part, { maxLength: 8 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(
        text,
        fc.option(text, { nil: undefined }),
        fc.option(text, { nil: undefined }),
        (url, ref, subdir) => {
          try {
            const target = parseGitSource({ url, ref, subdir });
            expect(target.url).toMatch(/^(?:https?|ssh|file):\/\/|^[^-/:][^/:]*:[^:-]/);
            expect(target.ref ?? "x").not.toMatch(/^-|[\s\0]/);
            expect(target.subdir ?? "x").not.toMatch(/(?:^|\/)\.\.(?:\/|$)|^\/|\0/);
          } catch (error) {
            if (!WireError.isInstance(error)) throw error;
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
