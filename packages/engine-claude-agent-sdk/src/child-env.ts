import { join } from "node:path";
import type { EngineContext } from "@computeragent/protocol";
import { allowListedEnv } from "@computeragent/supervisor";

/** Names that steer the engine itself: its endpoint, its credential, its switches. A caller's variable may not be one of them. */
const RESERVED = /^(ANTHROPIC_|CLAUDE_|CLAUDECODE$|DISABLE_|ENABLE_|MCP_|OTEL_|BUN_|IS_SANDBOX$|USE_)/;

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
  const envs = Object.entries(context.envs).filter(([name]) => !RESERVED.test(name));
  const dirs = claudeDirs(context.home);
  return {
    ...host,
    HOME: dirs.user,
    TMPDIR: context.tmp,
    ...Object.fromEntries(envs),
    ...QUIET,
    CLAUDE_CONFIG_DIR: dirs.config,
    CLAUDE_CODE_TMPDIR: context.tmp,
    CLAUDE_CODE_MAX_RETRIES: String(maxRetries),
    ANTHROPIC_BASE_URL: access.baseUrl,
    ANTHROPIC_AUTH_TOKEN: access.token,
  };
}
