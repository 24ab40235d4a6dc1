import { describe, expect, it } from "vitest";
import { checkEnvs } from "./session-envs.ts";

/** Whether a caller is refused this variable. */
function isRefused(name: string): boolean {
  try {
    checkEnvs({ [name]: "x" });
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: "VALIDATION", errors: [{ pointer: `/envs/${name}` }] });
    return true;
  }
}

describe("variables of a caller", () => {
  const steering =
    "LD_PRELOAD NODE_OPTIONS PATH HOME BASH_ENV ENV ZDOTDIR PYTHONPATH PERL5OPT RUBYOPT _JAVA_OPTIONS LUA_INIT_5_4 " +
    "GIT_DIR GIT_WORK_TREE GIT_SSH_COMMAND GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_TRACE GIT_TRACE2_EVENT " +
    "XDG_CONFIG_HOME XDG_CONFIG_DIRS EDITOR VISUAL PAGER MANPAGER LESSOPEN SSH_ASKPASS RIPGREP_CONFIG_PATH OPENSSL_CONF " +
    "RUSTC_WRAPPER GOFLAGS MAKEFLAGS CURL_HOME npm_config_script_shell NPM_CONFIG_USERCONFIG COMPUTERAGENT_OWNER CLAUDE_CONFIG_DIR";
  it.each(steering.split(" "))("%s is refused", (name) => {
    expect(isRefused(name)).toBe(true);
  });

  const plain =
    "PROJECT API_TOKEN ANTHROPIC_API_KEY DATABASE_URL HTTPS_PROXY NO_PROXY LANG TZ CI NPM_TOKEN npm_config_registry " +
    "GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL GIT_TOKEN GIT_USERNAME GIT_TERMINAL_PROMPT AWS_REGION ENVIRONMENT PATH_PREFIX";
  it.each(plain.split(" "))("%s is passed on", (name) => {
    expect(isRefused(name)).toBe(false);
  });
});
