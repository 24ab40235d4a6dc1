import { type Arg, hasOption, operands } from "../context.ts";

const ALWAYS_READ = new Set(
  "status log show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree cat-file name-rev merge-base cherry count-objects whatchanged for-each-ref show-ref show-branch var version help check-ignore check-attr diff diff-tree diff-files diff-index range-diff grep verify-commit verify-tag fsck merge-tree".split(
    " ",
  ),
);
const ALWAYS_DESTROY = new Set(
  "clean rebase filter-branch filter-repo update-ref prune gc replace fast-import".split(" "),
);
const FILE_NAME = /^\.?\/|\.[a-z]{1,5}$/i;

/** Whether git only reads with this sub-command and these arguments. */
export function gitReads(verb: string, args: readonly Arg[]): boolean {
  const names = operands(args).map((arg) => arg.text);
  const [first] = names;
  if (
    hasOption(args, "", "output", "ext-diff", "open-files-in-pager", "upload-pack", "exec") ||
    (verb === "grep" && hasOption(args, "O"))
  )
    return false;
  if (ALWAYS_READ.has(verb)) return true;
  if (verb === "branch")
    return (
      !hasOption(
        args,
        "dDmMcCfut",
        "delete",
        "move",
        "copy",
        "force",
        "set-upstream-to",
        "unset-upstream",
        "track",
        "edit-description",
      ) &&
      (names.length === 0 ||
        hasOption(args, "arl", "list", "contains", "merged", "no-merged", "points-at", "all", "remotes"))
    );
  if (verb === "tag")
    return (
      !hasOption(args, "dfasum", "delete", "force", "annotate", "sign") &&
      (names.length === 0 || hasOption(args, "ln", "list", "contains", "points-at"))
    );
  if (verb === "remote") return names.length === 0 || first === "get-url";
  if (verb === "stash") return first === "list" || first === "show";
  if (verb === "reflog") return names.length === 0 || first === "show";
  if (verb === "worktree" || verb === "notes") return first === "list";
  if (verb === "submodule") return first === "status" || first === "summary";
  if (verb === "symbolic-ref") return names.length === 1 && !hasOption(args, "d", "delete");
  if (verb === "bisect") return first === "log";
  if (verb === "config")
    return (
      hasOption(args, "l", "get", "get-all", "get-regexp", "list") ||
      ((first === "get" || first === "list") && names.length <= 2)
    );
  return false;
}

/** Whether git discards work, rewrites history or publishes by force. */
export function gitDestroys(verb: string, args: readonly Arg[]): boolean {
  const names = operands(args).map((arg) => arg.text);
  const [first] = names;
  if (verb === "clean" && hasOption(args, "n", "dry-run")) return false;
  if (ALWAYS_DESTROY.has(verb)) return true;
  switch (verb) {
    case "push":
      return (
        hasOption(args, "fd", "force", "force-with-lease", "force-if-includes", "mirror", "delete", "prune") ||
        names.slice(1).some((name) => /^[+:]/.test(name))
      );
    case "reset":
      return hasOption(args, "", "hard", "merge", "keep");
    case "branch":
      return hasOption(args, "dDMCf", "delete", "force");
    case "tag":
      return hasOption(args, "df", "delete", "force");
    case "reflog":
    case "stash":
      return /^(expire|delete|drop|clear)$/.test(first ?? "");
    case "commit":
      return hasOption(args, "", "amend");
    case "checkout":
      return (
        hasOption(args, "fpB", "force", "patch", "ours", "theirs", "pathspec-from-file") ||
        args.some((arg) => arg.text === "--") ||
        names.some((name) => name === "." || name.includes("*") || FILE_NAME.test(name))
      );
    case "switch":
      return hasOption(args, "fC", "force", "discard-changes", "force-create");
    case "restore":
      return !hasOption(args, "S", "staged") || hasOption(args, "W", "worktree");
    case "rm":
      return !hasOption(args, "", "cached");
    case "worktree":
    case "remote":
      return /^(remove|rm|prune|set-url)$/.test(first ?? "");
    case "notes":
    case "replay":
      return first === "remove" || first === "prune";
    case "submodule":
      return first === "deinit";
    default:
      return false;
  }
}
