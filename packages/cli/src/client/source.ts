import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { IdentitySource } from "@computeragent/protocol";
import { CliError, EXIT } from "../exit-codes.ts";

/**
 * Reads the `<source>` of the command line: a folder, a repository on this machine (bare, or with `#ref` or `#ref:subdir`),
 * `inline:TEXT` or `inline:{json}`, else a git URL.
 */
export function sourceOf(text: string, cwd: string): IdentitySource {
  if (text.trim() === "") throw new CliError("the source is empty; give the folder or git URL of an agent", EXIT.usage);
  if (text.startsWith("inline:")) return inline(text.slice("inline:".length).trim());
  const path = resolve(cwd, text);
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw new CliError(`${text} is a file; give the folder of an agent`, EXIT.usage);
    return isBare(path) ? { type: "git", url: pathToFileURL(path).href } : { type: "local", path };
  }
  const versioned = versionOf(text, cwd);
  if (versioned) return versioned;
  if (/^(\.|\/|~)/.test(text)) throw new CliError(`there is no folder ${text}`, EXIT.usage);
  if (!/:|^[^/]+\.[^/]+\/[^/]+\/[^/]/.test(text)) {
    const spellings = "https://..., git@host:path or host/org/repo";
    throw new CliError(`there is no folder ${text}, and it is not a git URL (${spellings})`, EXIT.usage);
  }
  return { type: "git", url: text };
}

/** `<folder>#ref` or `<folder>#ref:subdir`: that state of the repository there. The folder's name may hold a `#` itself. */
function versionOf(text: string, cwd: string): IdentitySource | undefined {
  for (let hash = text.lastIndexOf("#"); hash > 0; hash = text.lastIndexOf("#", hash - 1)) {
    const path = resolve(cwd, text.slice(0, hash));
    if (!existsSync(path)) continue;
    const fragment = text
      .slice(hash + 1)
      .split(":")
      .map(encodeURIComponent)
      .join(":");
    return { type: "git", url: `${pathToFileURL(path).href}#${fragment}` };
  }
  return undefined;
}

/** A folder that is a repository without files of its own. */
function isBare(path: string): boolean {
  return (
    !existsSync(join(path, "agent.yaml")) && ["HEAD", "objects", "refs"].every((name) => existsSync(join(path, name)))
  );
}

/** Plain text becomes the agent's SOUL.md; a JSON object is `{manifest, files}`. */
function inline(text: string): IdentitySource {
  if (text === "") throw new CliError('inline: needs a text, for example inline:"You review code."', EXIT.usage);
  if (!text.startsWith("{")) {
    const manifest = {
      spec_version: "0.1.0",
      name: "inline-agent",
      version: "0.1.0",
      description: "An agent given on the command line",
    };
    return { type: "inline", manifest, files: { "SOUL.md": `${text}\n` } };
  }
  try {
    const value = JSON.parse(text) as { manifest?: Record<string, never>; files?: Record<string, string> };
    return { type: "inline", manifest: value.manifest ?? {}, ...(value.files ? { files: value.files } : {}) };
  } catch (cause) {
    throw new CliError("inline: is followed by something that begins like JSON but is not", EXIT.usage, cause);
  }
}
