import { allowListedEnv } from "@computeragent/supervisor";
import type { GitTarget } from "./spelling.ts";

/** Besides the supervisor's list: what reaching a server may need. Their values are seen by git alone. */
const NETWORK = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY", "SSH_AUTH_SOCK"];
const SSH = "ssh -o BatchMode=yes -o StrictHostKeyChecking=yes -o PermitLocalCommand=no -o ConnectTimeout=30";

/** Settings that beat every file, in git and in what git starts. Together with the environment they leave nothing to run but git. */
const SETTINGS: readonly (readonly [string, string])[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.attributesFile", "/dev/null"],
  ["core.excludesFile", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.protectHFS", "true"],
  ["core.protectNTFS", "true"],
  ["credential.helper", ""],
  ["protocol.ext.allow", "never"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["init.defaultBranch", "main"],
  ["advice.detachedHead", "false"],
];

/**
 * Environment of git for one target: no configuration of the machine or the user, no prompts, one allowed protocol, no
 * home. Credentials travel here, where neither `ps` nor the repository's config shows them.
 */
export function gitEnvironment(
  target: GitTarget,
  noHome: string,
  source: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const env = allowListedEnv(source, {
    HOME: noHome,
    XDG_CONFIG_HOME: noHome,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_ALLOW_PROTOCOL: target.protocol,
    GIT_SSH_COMMAND: SSH,
  });
  for (const name of NETWORK.flatMap((known) => [known, known.toLowerCase()])) {
    const value = source[name];
    if (value !== undefined) env[name] = value;
  }
  return { ...env, ...settingsInEnvironment(target) };
}

function settingsInEnvironment({ protocol, url, authorization }: GitTarget): Record<string, string> {
  const settings: (readonly [string, string])[] = [
    ...SETTINGS,
    ["http.followRedirects", protocol === "https" ? "initial" : "false"],
  ];
  if (authorization !== undefined) {
    settings.push([`http.${new URL(url).origin}/.extraHeader`, `Authorization: ${authorization}`]);
  }
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(settings.length)],
    ...settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);
}
