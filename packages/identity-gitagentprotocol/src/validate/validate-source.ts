import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IdentitySource } from "@computeragent/protocol";
import { parseGitSource } from "../git/spelling.ts";
import { NoticeList } from "../model/notices.ts";
import { IDENTITY_LIMITS, type SourceOptions } from "../options.ts";
import { allowedFolder } from "../sources/allowed-roots.ts";
import { materialise } from "../sources/materialise.ts";
import { withinSource } from "../sources/within-source.ts";
import type { Validation } from "./finding.ts";
import { type ValidateOptions, validateAgent } from "./validate-agent.ts";

/** A validation with the commit that was validated; null when the source has none. */
export interface SourceValidation extends Validation {
  readonly sha: string | null;
}

/**
 * Validates an agent wherever it is: a folder in place, anything else in a temporary folder that is removed again.
 * Rejects with `WireError` when the source cannot be reached or is not allowed, and with the signal's reason.
 */
export async function validateSource(
  source: IdentitySource,
  options: SourceOptions & ValidateOptions & { readonly signal: AbortSignal },
): Promise<SourceValidation> {
  if (source.type === "local") {
    return { ...(await validateAgent(await allowedFolder(source.path, options.localSources), options)), sha: null };
  }
  const limits = { ...IDENTITY_LIMITS, ...options.limits };
  const shown = source.type === "git" ? parseGitSource(source).shown : "given inline";
  const scratch = await mkdtemp(join(tmpdir(), "computeragent-validate-"));
  try {
    const [dir, generatedDir] = [join(scratch, "identity"), join(scratch, "generated")];
    await Promise.all([mkdir(dir), mkdir(generatedDir)]);
    const scope = { shown, signal: options.signal, timeoutMs: limits.timeoutMs, dirs: [dir, generatedDir] };
    const sha = await withinSource(scope, (signal) =>
      materialise(source, { dir, generatedDir, options, limits, notices: new NoticeList(), signal }),
    );
    return { ...(await validateAgent(dir, options)), sha };
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}
