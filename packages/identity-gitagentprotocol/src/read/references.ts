import { toPointer } from "../parse/pointer.ts";
import type { IdentityFolder } from "./identity-folder.ts";
import { MANIFEST, type ManifestReading } from "./manifest.ts";
import type { Report } from "./report.ts";

/** Every tool and sub-agent that the manifest names must have its file. Names with a path in them lead nowhere. */
export async function checkReferences(
  folder: IdentityFolder,
  { manifest, lineOf }: ManifestReading,
  report: Report,
): Promise<void> {
  const missing = (rule: string, path: readonly (string | number)[], message: string): void => {
    const withLine = `${message} (line ${lineOf(path)})`;
    report.issues.push({ rule, file: MANIFEST, pointer: toPointer(path), message: withLine });
  };
  for (const [index, name] of (manifest.tools ?? []).entries()) {
    const file = `tools/${name}.yaml`;
    if ((await folder.resolve(file)) === undefined) missing("A5", ["tools", index], `there is no file ${file}`);
  }
  for (const name of Object.keys(manifest.agents ?? {})) {
    const plain = !/[/\\\0]/.test(name) && name !== ".." && name !== ".";
    const found =
      plain && ((await folder.isFolder(`agents/${name}`)) || (await folder.resolve(`agents/${name}.md`)) !== undefined);
    if (!found)
      missing("A6", ["agents", name], `there is neither a folder agents/${name} nor a file agents/${name}.md`);
  }
}
