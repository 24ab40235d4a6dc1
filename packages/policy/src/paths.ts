/** Where a path leads, judged by its text alone. */
export interface Resolved {
  /** Absolute and normalised; as given when it cannot be resolved. */
  readonly path: string;
  readonly inside: boolean;
  /** Inside, but a write there changes what tools execute or what stays secret. */
  readonly sensitive: boolean;
}

/** Folders and files whose content is run or trusted by other programs. */
const SENSITIVE_FOLDERS = new Set(
  ".git .hg .svn .husky .claude .codex .gemini .cursor .giga .vscode .idea .devcontainer .circleci .ssh .gnupg".split(
    " ",
  ),
);
const SENSITIVE_FILES = new Set(
  ".envrc .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .netrc .pypirc .gitmodules .gitattributes .gitconfig .mcp.json .gitlab-ci.yml .bashrc .bash_profile .profile .zshrc .pre-commit-config.yaml".split(
    " ",
  ),
);

/** Stands for a folder that cannot be told beforehand. */
export const SOMEWHERE = "?";

/** Resolves `raw` against `base` (absolute, or `SOMEWHERE`) and compares it with `workspace` (absolute). Symbolic links are not followed. */
export function resolvePath(raw: string, base: string, workspace: string): Resolved {
  const text = raw.startsWith("file://") ? raw.slice("file://".length) : raw;
  const opaque = text.includes("\0") || /^(~|\$|%|\\\\|[A-Za-z]:[\\/])/.test(text);
  if (opaque || (base === SOMEWHERE && !text.startsWith("/"))) return { path: raw, inside: false, sensitive: false };
  const root = normalise(workspace);
  const path = normalise(text.startsWith("/") ? text : `${base}/${text}`);
  const inside = path === root || path.startsWith(root === "/" ? "/" : `${root}/`);
  return { path, inside, sensitive: inside && isSensitive(path.slice(root.length)) };
}

/** Removes `.`, `..` and doubled slashes of an absolute path. */
export function normalise(path: string): string {
  const out: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") out.pop();
    else out.push(part);
  }
  return `/${out.join("/")}`;
}

function isSensitive(relative: string): boolean {
  const parts = relative.toLowerCase().split("/").filter(Boolean);
  const name = parts.at(-1) ?? "";
  if (parts.some((part) => SENSITIVE_FOLDERS.has(part))) return true;
  if (parts.some((part, i) => part === ".github" && /^(workflows|actions)$/.test(parts[i + 1] ?? ""))) return true;
  return SENSITIVE_FILES.has(name) || (/^\.env(\.|$)/.test(name) && !/\.(example|sample|template)$/.test(name));
}
