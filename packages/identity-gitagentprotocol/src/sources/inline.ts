import { constants } from "node:fs";
import { lstat, mkdir, open, realpath } from "node:fs/promises";
import { type JsonObject, WireError } from "@computeragent/protocol";
import { stringify } from "yaml";
import { Budget, LimitExceeded } from "../files/budget.ts";
import { errorCode } from "../files/error-code.ts";
import { checkRelativePath } from "../files/safe-path.ts";
import { identityInvalid } from "../model/issues.ts";
import { toPointer } from "../parse/pointer.ts";
import type { Materialiser } from "./materialiser.ts";

const MANIFEST = "agent.yaml";
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Writes a manifest and its files, as a request carries them, into `dir` and nowhere else. */
export async function materialiseInline(
  manifest: JsonObject,
  files: Readonly<Record<string, string>>,
  to: Materialiser,
): Promise<void> {
  const contents: [string, string][] = [[MANIFEST, toYaml(manifest)], ...Object.entries(files)];
  const budget = new Budget(to.limits);
  const checked = contents.map(([path, text], index) => {
    spend(budget, Buffer.byteLength(text));
    if (index > 0 && path === MANIFEST) throw refused(path, "the manifest is given apart from the files");
    const names = checkRelativePath(path);
    if ("reason" in names) throw refused(path, names.reason, names.kind === "escape");
    return { path, names, text };
  });
  const root = await realpath(to.dir);
  for (const { path, names, text } of checked) {
    to.signal.throwIfAborted();
    await writeNew(root, names, path, text);
  }
}

/** Creates the folders one by one, each checked to be a real one, then the file, which must not exist. */
async function writeNew(root: string, names: readonly string[], path: string, text: string): Promise<void> {
  let folder = root;
  for (const name of names.slice(0, -1)) {
    folder = `${folder}/${name}`;
    await mkdir(folder, { mode: 0o755 }).catch((error: unknown) => {
      if (errorCode(error) !== "EEXIST") throw error;
    });
    if (!(await lstat(folder)).isDirectory()) throw refused(path, "lies in what is also a file");
  }
  try {
    await using file = await open(`${folder}/${names.at(-1)}`, NEW_FILE, 0o644);
    await file.writeFile(text, "utf8");
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw refused(path, "is also a folder, or stands twice");
    throw error;
  }
}

function toYaml(manifest: JsonObject): string {
  try {
    return stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false });
  } catch (error) {
    throw identityInvalid([{ rule: "A1", file: MANIFEST, pointer: "", message: "cannot be written as YAML" }], error);
  }
}

function spend(budget: Budget, bytes: number): void {
  try {
    budget.spend(bytes);
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error;
    throw identityInvalid([{ rule: "I1", file: MANIFEST, pointer: "", message: `the identity ${error.message}` }]);
  }
}

/** The names come from outside: shown as JSON so that no control character reaches a terminal. */
function refused(path: string, message: string, escapes = false): WireError {
  const pointer = toPointer(["files", path]);
  const error = { file: path, pointer, message };
  const detail = `The inline file ${JSON.stringify(path.slice(0, 200))} ${message}`;
  return new WireError(escapes ? "PATH_ESCAPE" : "IDENTITY_INVALID", detail, { errors: [error] });
}
