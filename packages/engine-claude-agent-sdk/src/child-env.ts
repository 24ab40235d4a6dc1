import { join } from "node:path";
import type { EngineContext } from "@computeragent/protocol";
import { allowListedEnv } from "@computeragent/supervisor";

/** Names that steer the engine itself: its endpoint, its credential, its switches. A caller's variable may not be one of them. */
const RESERVED = /^(ANTHROPIC_|CLAUDE|BUN_)/;
/** Variables by which a caller sends the agent's traffic through a proxy: the model's own endpoint is not reached that way. */
const PROXY = /^(https?|all|no)_proxy$/i;

/** Switches that keep the CLI to itself: no traffic but the model's, no memory, no schedules, nothing that outlives a turn, no file read that the policy does not see. */
const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
  CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: "1",
  CLAUDE_CODE_DISABLE_CLAUDE_MDS: "1",
  CLAUDE_CODE_DISABLE_CRON: "1",
  CLAUDE_CODE_DISABLE_FILE_MENTIONS: "1",
  CLAUDE_CODE_DISABLE_WORKFLOWS: "1",
} as const;

/** Private folders of a session. */
export interface ClaudeDirs {
  /** `CLAUDE_CONFIG_DIR`: transcripts and settings. */
  readonly config: string;
  /** `HOME` of the agent. */
  readonly user: string;
}

/** Where a session keeps its things under its home. */
export function claudeDirs(home: string): ClaudeDirs {
  return { config: join(home, "claude"), user: join(home, "user") };
}

/** The caller's variables that the engine refuses. */
export function refusedNames(envs: Readonly<Record<string, string>>): string[] {
  return Object.keys(envs).filter((name) => RESERVED.test(name));
}

/** The whole environment of the CLI and of what it runs. Of the host's it holds PATH, locale, terminal, time zone and CA files only. */
export function childEnv(
  context: Pick<EngineContext, "home" | "tmp" | "envs">,
  access: { readonly baseUrl: string; readonly token: string },
  maxRetries: number,
): Record<string, string> {
  const { HOME: _home, TMPDIR: _tmpdir, ...host } = allowListedEnv(process.env);
  const envs = Object.fromEntries(Object.entries(context.envs).filter(([name]) => !RESERVED.test(name)));
  return {
    ...host,
    ...envs,
    ...direct(envs, access.baseUrl),
    ...QUIET,
    CLAUDE_CODE_MAX_RETRIES: String(maxRetries),
    ANTHROPIC_BASE_URL: access.baseUrl,
    ...sessionVariables(context, access.token),
  };
}

/** The variables that are one session's own; those besides are the same for all sessions of a route and caller. */
export function sessionVariables(
  context: Pick<EngineContext, "home" | "tmp">,
  token: string,
): Readonly<Record<"HOME" | "TMPDIR" | "CLAUDE_CONFIG_DIR" | "CLAUDE_CODE_TMPDIR" | "ANTHROPIC_AUTH_TOKEN", string>> {
  const dirs = claudeDirs(context.home);
  return {
    HOME: dirs.user,
    TMPDIR: context.tmp,
    CLAUDE_CONFIG_DIR: dirs.config,
    CLAUDE_CODE_TMPDIR: context.tmp,
    ANTHROPIC_AUTH_TOKEN: token,
  };
}

function direct(envs: Readonly<Record<string, string>>, baseUrl: string): Record<string, string> {
  if (!Object.keys(envs).some((name) => PROXY.test(name))) return {};
  const hosts = [envs.NO_PROXY ?? envs.no_proxy, new URL(baseUrl).hostname].filter((value) => value).join(",");
  return { NO_PROXY: hosts, no_proxy: hosts };
}
