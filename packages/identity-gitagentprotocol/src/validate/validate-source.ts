import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IdentitySource, type NoticeData, WireError } from "@computeragent/protocol";
import { translate } from "../adapters/translate.ts";
import { IDENTITY_LIMITS, type SourceOptions } from "../options.ts";
import { readAgent } from "../read/read-agent.ts";
import { allowedFolder } from "../sources/allowed-roots.ts";
import { materialise } from "../sources/materialise.ts";
import { shownName } from "../sources/shown-name.ts";
import { withinSource } from "../sources/within-source.ts";
import type { Validation } from "./finding.ts";
import { leftOutOf } from "./left-out.ts";
import { LoadNotices } from "./not-loaded.ts";
import type { ValidateOptions } from "./options.ts";
import { validateAgent } from "./validate-agent.ts";

/** A validation of a source. */
export interface SourceValidation extends Validation {
  /** The commit that was validated; null when the source has none. */
  readonly sha: string | null;
  /** What a session of the engine would tell of parts without effect; empty when the agent cannot be loaded. */
  readonly notices: readonly NoticeData[];
}

/** How to validate a source. `targetEngine` (default `claude-agent-sdk`): whose notices are given. */
export interface ValidateSourceOptions extends SourceOptions, Omit<ValidateOptions, "isLeftOut" | "notLoaded"> {
  readonly signal: AbortSignal;
  readonly targetEngine?: string;
}

/**
 * Validates an agent wherever it is, and loads it into a temporary folder on the way: what a load leaves out is known for
 * sure then. A folder is judged in place, anything else as loaded. Rejects with `WireError` when the source cannot be reached or is not allowed, and with the signal's reason.
 */
export async function validateSource(
  source: IdentitySource,
  options: ValidateSourceOptions,
): Promise<SourceValidation> {
  const limits = { ...IDENTITY_LIMITS, ...options.limits };
  const place = source.type === "local" ? await allowedFolder(source.path, options.localSources) : undefined;
  const scratch = await mkdtemp(join(tmpdir(), "computeragent-validate-"));
  try {
    const [dir, generatedDir] = [join(scratch, "identity"), join(scratch, "generated")];
    await Promise.all([mkdir(dir), mkdir(generatedDir)]);
    const shown = shownName(source);
    const scope = { shown, signal: options.signal, timeoutMs: limits.timeoutMs, dirs: [dir, generatedDir] };
    const found = new LoadNotices();
    const sha = await withinSource(scope, (signal) =>
      materialise(source, { dir, generatedDir, options, limits, notices: found, signal }),
    );
    const validation = await validateAgent(place ?? dir, {
      ...options,
      notLoaded: found.notLoaded(),
      ...(place === undefined ? {} : { isLeftOut: await leftOutOf(place) }),
    });
    return { ...validation, sha, notices: [...found.all(), ...(await noticesOf(dir, options))] };
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function noticesOf(
  dir: string,
  { targetEngine = "claude-agent-sdk" }: ValidateSourceOptions,
): Promise<readonly NoticeData[]> {
  try {
    const { agent, notices } = await readAgent(dir);
    return [...notices, ...translate(agent, targetEngine).notices];
  } catch (error) {
    if (WireError.isInstance(error) && error.code === "IDENTITY_INVALID") return [];
    throw error;
  }
}
