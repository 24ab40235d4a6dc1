import { mkdir, stat } from "node:fs/promises";
import type { Options } from "@anthropic-ai/claude-agent-sdk";
import { type EngineContext, EngineFailure, type NoticeData } from "@computeragent/protocol";
import { ClaudeCallerOptions } from "./caller-options.ts";
import { childEnv, claudeDirs, refusedNames } from "./child-env.ts";
import type { ResolvedEngineOptions } from "./engine-options.ts";
import { usableFallbacks } from "./model-names.ts";
import { readWorkspaceInstructions } from "./workspace-instructions.ts";

/** Tools that outlive a turn, wake the agent by themselves, talk to other sessions, or move it out of its workspace. */
const NEVER = [
  "CronCreate",
  "CronDelete",
  "CronList",
  "EnterWorktree",
  "ExitWorktree",
  "ListAgents",
  "Monitor",
  "PushNotification",
  "RemoteTrigger",
  "ScheduleWakeup",
  "SendFeedback",
  "SendMessage",
  "Workflow",
];
const WRITING = ["Edit", "NotebookEdit", "Write"];

/** What a session's processes are started with, and what has to be said about it. */
export interface SessionOptions {
  readonly options: Options;
  readonly notices: readonly NoticeData[];
}

/** Reads and makes everything that the CLI of this session needs. Rejects with `EngineFailure`. */
export async function sessionOptions(
  context: EngineContext<ClaudeCallerOptions>,
  engine: ResolvedEngineOptions,
): Promise<SessionOptions> {
  const { model, profile } = context;
  const access = model.access;
  if (!access) throw failure("no_model_route", "The session has no model route.");
  if (!(await isFolder(context.workspace))) throw failure("workspace_missing", "The workspace does not exist.");
  for (const dir of Object.values(claudeDirs(context.home))) await mkdir(dir, { recursive: true, mode: 0o700 });

  const notices: NoticeData[] = refusedNames(context.envs).map((name) => ({
    level: "warning",
    code: "env_ignored",
    message: `The variable ${name} steers the engine and is not passed on.`,
  }));
  const fallbacks = usableFallbacks(model, access.route);
  notices.push(...fallbacks.notices);
  const append = await instructions(context, notices);
  const chosen = { ...identityOptions(context, notices), ...context.options };
  const disallowedTools = [...NEVER, ...(chosen.disallowedTools ?? [])];
  if (context.access === "read_only") {
    disallowedTools.push(...WRITING);
    notices.push({ level: "info", code: "tools_removed", message: `Read-only access: ${WRITING.join(", ")} are off.` });
  }
  const options: Options = {
    cwd: context.workspace,
    env: childEnv(context, access, engine.maxRetries),
    permissionMode: "default",
    settingSources: [],
    strictMcpConfig: true,
    includePartialMessages: context.includePartials,
    forwardSubagentText: true,
    systemPrompt: { type: "preset", preset: "claude_code", ...(append === "" ? {} : { append }) },
    skills: [...(profile.skills?.names ?? [])],
    disallowedTools,
    ...(profile.skills ? { plugins: [{ type: "local", path: profile.skills.pluginDir, skipMcpDiscovery: true }] } : {}),
    ...(model.name === undefined ? {} : { model: model.name }),
    ...(fallbacks.models.length === 0 ? {} : { fallbackModel: fallbacks.models.join(",") }),
    ...(context.maxTurns === undefined ? {} : { maxTurns: context.maxTurns }),
    ...(engine.executable === undefined ? {} : { pathToClaudeCodeExecutable: engine.executable }),
    ...(chosen.effort === undefined ? {} : { effort: chosen.effort }),
    ...(chosen.thinking === undefined ? {} : { thinking: chosen.thinking }),
    ...(chosen.outputFormat === undefined ? {} : { outputFormat: chosen.outputFormat }),
    ...(chosen.agents === undefined ? {} : { agents: agents(chosen.agents) }),
  };
  return { options, notices };
}

/** The identity's instructions and those of the workspace, which the CLI itself is not allowed to look for. */
async function instructions(context: EngineContext<ClaudeCallerOptions>, notices: NoticeData[]): Promise<string> {
  const own = context.profile.instructions?.trim() ?? "";
  const found = await readWorkspaceInstructions(context.workspace);
  // A materialised identity has its instructions in the workspace, too.
  if (!found || own.includes(found.text.trim())) return own;
  notices.push({
    level: found.truncated ? "warning" : "info",
    code: found.truncated ? "workspace_instructions_truncated" : "workspace_instructions",
    path: found.file,
    message: `${found.file} of the workspace is part of the instructions${found.truncated ? ", its first 64 KiB" : ""}.`,
  });
  return [own, `# ${found.file} of the workspace\n\n${found.text.trim()}`].filter((part) => part !== "").join("\n\n");
}

/** What the identity sets for this engine: what a caller may set, too; the caller wins. */
function identityOptions(context: EngineContext<ClaudeCallerOptions>, notices: NoticeData[]): ClaudeCallerOptions {
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(context.profile.engine ?? {})) {
    if (ClaudeCallerOptions.safeParse({ [name]: value }).success) options[name] = value;
    else {
      const message = `The identity's option ${name} cannot be honoured by this engine.`;
      notices.push({ level: "warning", code: "engine_option_ignored", message });
    }
  }
  return ClaudeCallerOptions.parse(options);
}

/** Sub-agents run in the foreground: a turn ends when they have ended. */
function agents(given: NonNullable<ClaudeCallerOptions["agents"]>): NonNullable<Options["agents"]> {
  return Object.fromEntries(
    Object.entries(given).map(([name, agent]) => {
      const { tools, disallowedTools, model, skills, maxTurns, effort, ...rest } = agent;
      return [
        name,
        {
          ...rest,
          background: false,
          ...(tools ? { tools } : {}),
          ...(disallowedTools ? { disallowedTools } : {}),
          ...(model === undefined ? {} : { model }),
          ...(skills ? { skills } : {}),
          ...(maxTurns === undefined ? {} : { maxTurns }),
          ...(effort === undefined ? {} : { effort }),
        },
      ];
    }),
  );
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function failure(code: string, message: string): EngineFailure {
  return new EngineFailure({ class: "permanent", code, message });
}
