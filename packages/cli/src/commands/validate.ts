import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { SourceValidation } from "@computeragent/identity-gitagentprotocol";
import type { IdentitySource } from "@computeragent/protocol";
import { Interrupts } from "../client/interrupts.ts";
import { sourceOf } from "../client/source.ts";
import { CliError, EXIT, type ExitCode } from "../exit-codes.ts";
import { findingsText } from "../ui/findings.ts";

/** Flags of `computeragent validate`. */
export interface ValidateFlags {
  readonly strict?: boolean;
  readonly json?: boolean;
  readonly ref?: string;
  readonly subdir?: string;
}

/** Checks an agent without a host and prints every finding. */
export async function validateCommand(spelled: string, flags: ValidateFlags): Promise<ExitCode> {
  const source = placed(sourceOf(spelled, process.cwd()), flags);
  const [{ validateSource }, { run }, { WireError, IdentitySource: Schema }, { createMasker }] = await Promise.all([
    import("@computeragent/identity-gitagentprotocol"),
    import("@computeragent/supervisor"),
    import("@computeragent/protocol"),
    import("@computeragent/redaction"),
  ]);
  const wrong = Schema.safeParse(source).error?.issues[0];
  if (wrong) throw new CliError(`the source is no agent: ${wrong.path.join(".")}: ${wrong.message}`, EXIT.usage);
  using interrupts = new Interrupts();
  const signal = interrupts.givenUp;
  try {
    const masker = createMasker();
    const findSecrets = masker.find;
    const options = { run, localSources: "any", env: process.env, signal, findSecrets } as const;
    const result = await validateSource(source, { ...options, profile: flags.strict ? "strict" : "lenient" });
    const text = flags.json
      ? JSON.stringify(masker.json(told(spelled, result)), null, 2)
      : masker.text(findingsText(spelled, result));
    process.stdout.write(`${text}\n`);
    return result.valid ? EXIT.success : EXIT.failed;
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    if (WireError.isInstance(error)) throw new CliError(`${error.message} [${error.code}]`, EXIT.refused, error);
    throw error;
  }
}

/** The source with `--ref` and `--subdir`. A ref of a folder means: that state of the repository there. */
function placed(source: IdentitySource, { ref, subdir }: ValidateFlags): IdentitySource {
  if (ref === undefined && subdir === undefined) return source;
  if (ref === "" || subdir === "") throw new CliError("--ref and --subdir must not be empty", EXIT.usage);
  if (source.type === "inline") throw new CliError("--ref and --subdir are not for inline sources", EXIT.usage);
  if (source.type === "local" && ref === undefined) {
    const path = resolve(source.path, subdir ?? ".");
    const inside = relative(source.path, path);
    if (inside === ".." || inside.startsWith(`..${sep}`)) {
      throw new CliError(`--subdir must be a folder inside of ${source.path}`, EXIT.usage);
    }
    return { type: "local", path: join(source.path, inside) };
  }
  if (source.type === "git") {
    return { ...source, ...(ref === undefined ? {} : { ref }), ...(subdir === undefined ? {} : { subdir }) };
  }
  const { top, inside } = repositoryAround(source.path);
  const folder = [inside, subdir ?? ""].filter((name) => name !== "").join("/");
  return { type: "git", url: pathToFileURL(top).href, ref, ...(folder === "" ? {} : { subdir: folder }) };
}

/** The repository that a folder is in, and where in it; the folder itself when nothing says that it is in one. */
function repositoryAround(path: string): { readonly top: string; readonly inside: string } {
  for (let top = path; ; top = dirname(top)) {
    if (existsSync(join(top, ".git"))) return { top, inside: relative(top, path).split(sep).join("/") };
    if (dirname(top) === top) return { top: path, inside: "" };
  }
}

/** What `--json` prints; docs/gap-rules.md explains it. */
function told(source: string, { profile, valid, agent, sha, findings, counts, notices }: SourceValidation) {
  return { source, profile, valid, agent, sha, findings, counts, notices };
}
