import type { RunResult } from "@computeragent/supervisor";
import { LimitExceeded } from "../files/budget.ts";
import type { SourceLimits, SourceOptions } from "../options.ts";
import { gitEnvironment } from "./environment.ts";
import { gitFailure } from "./failures.ts";
import { sizeOf, watchSize } from "./size-watch.ts";
import type { GitTarget } from "./spelling.ts";
import { unreachable } from "./unreachable.ts";

/** Listings of a repository can be long. */
const MAX_OUTPUT = 64 * 1024 ** 2;

/** Git in one folder, for one target, within one time and size limit. */
export interface Git {
  /** Where the repository is made. */
  readonly dir: string;
  readonly target: GitTarget;
  readonly limits: SourceLimits;
  /** Output of a command; rejects with `WireError` when it fails. */
  out(args: readonly string[], input?: string): Promise<string>;
  /** The same for commands whose failure means something. Rejects when aborted or beyond a limit only. */
  attempt(args: readonly string[], input?: string): Promise<RunResult>;
}

/** Makes a `Git` for `dir`, which holds the repository's `.git`. The clock of the time limit starts now. */
export function gitIn(
  dir: string,
  target: GitTarget,
  limits: SourceLimits,
  o: SourceOptions,
  signal: AbortSignal,
): Git {
  const env = gitEnvironment(target, `${dir}/.git/no-home`, o.env ?? process.env);
  const deadline = performance.now() + limits.timeoutMs;

  const attempt = async (args: readonly string[], input?: string): Promise<RunResult> => {
    signal.throwIfAborted();
    const timeoutMs = Math.ceil(deadline - performance.now());
    if (timeoutMs <= 0) throw unreachable(`Fetching ${target.shown} took too long`);
    await using watch = watchSize(`${dir}/.git`, limits.maxBytes);
    const result = await o.run("git", args, {
      cwd: dir,
      env,
      timeoutMs,
      maxOutputBytes: MAX_OUTPUT,
      signal: AbortSignal.any([signal, watch.signal]),
      ...(input === undefined ? {} : { input }),
    });
    signal.throwIfAborted();
    if (watch.signal.aborted || (await sizeOf(`${dir}/.git`)) > limits.maxBytes) {
      throw new LimitExceeded(`is larger than ${limits.maxBytes} bytes`);
    }
    if (result.truncated) throw new LimitExceeded("is too large to list");
    return result;
  };

  const out = async (args: readonly string[], input?: string): Promise<string> => {
    const result = await attempt(args, input);
    if (result.code !== 0) throw gitFailure(target.shown, result);
    return result.stdout;
  };
  return { dir, target, limits, out, attempt };
}
