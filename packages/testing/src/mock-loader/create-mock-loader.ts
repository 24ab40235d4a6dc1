import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type IdentityLoader, type LoadRequest, type LoadResult, WireError } from "@computeragent/protocol";
import { readManifest } from "./manifest.ts";
import type { MockLoaderOptions } from "./options.ts";

/** Segments of a relative path. Throws `WireError` PATH_ESCAPE for anything that could leave the folder. */
function segments(path: string): string[] {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".." || /[\\\0]/.test(part))) {
    throw new WireError("PATH_ESCAPE", `The path of an inline file leaves the identity: ${JSON.stringify(path)}`);
  }
  return parts;
}

async function materialise({ source, dir, signal }: LoadRequest): Promise<void> {
  const files =
    source.type === "inline"
      ? { "agent.json": JSON.stringify(source.manifest, null, 2), ...source.files }
      : { "agent.json": JSON.stringify({ source: source.type }) };
  const targets = Object.entries(files).map(([path, text]) => ({ target: join(dir, ...segments(path)), text }));
  for (const { target, text } of targets) {
    signal.throwIfAborted();
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
}

/**
 * An identity loader without parsing or network: inline files are written out, and the manifest's `name`, `version`,
 * `instructions`, `model`, `governance` and `notices` are taken over. Git and local sources give an empty identity.
 */
export function createMockLoader(options: MockLoaderOptions = {}): IdentityLoader {
  return {
    name: options.name ?? "mock",
    load: async (request): Promise<LoadResult> => {
      options.onLoad?.(request);
      request.signal.throwIfAborted();
      if (options.fail) throw options.fail;
      const manifest = readManifest(request.source.type === "inline" ? request.source.manifest : {});
      await materialise(request);
      const { instructions } = manifest;
      return {
        info: { name: manifest.name, version: manifest.version, sha: null },
        profile: { ...options.profile, ...(instructions === undefined ? {} : { instructions }) },
        governance: { ...options.governance, ...manifest.governance },
        model: manifest.model ?? options.model ?? { fallbacks: [] },
        notices: manifest.notices ?? options.notices ?? [],
      };
    },
  };
}
