import { type FieldError, WireError } from "@computeragent/protocol";

/** Variables that change how programs are loaded, found or configured, or that name a program to run: a caller may not set them for an agent. */
const REFUSED = [
  /^(LD|DYLD|GCONV|GLIBC|NODE|COMPUTERAGENT|CLAUDE|CODEX|RIPGREP|DENO|FZF)_/,
  /^(BASH_ENV|BASH_LOADABLES_PATH|BASH_FUNC_.*|ENV|SHELLOPTS|BASHOPTS|IFS|PS[0-4]|PROMPT_COMMAND|CDPATH|GLOBIGNORE|ZDOTDIR|FPATH|INPUTRC)$/,
  /^(PATH|HOME|SHELL|TMPDIR|USER|LOGNAME|XDG_\w+_(HOME|DIRS?))$/,
  /^(\w*EDITOR|VISUAL|\w*PAGER|BROWSER|LESS(OPEN|CLOSE|KEY)|\w+_ASKPASS|TERMINFO|OPENSSL_(CONF|MODULES|ENGINES))$/,
  /^PYTHON(PATH|STARTUP|HOME|BREAKPOINT|USERBASE|WARNINGS|PLATLIBDIR|INSPECT)$/,
  /^(PERL5?(LIB|OPT|DB)|RUBY(LIB|OPT)|LUA_(INIT|C?PATH)\w*|PHPRC|PHP_INI_SCAN_DIR|CLASSPATH|JAVA_OPTS|_JAVA_OPTIONS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS)$/,
  /^(RUSTC|RUSTC_\w*WRAPPER|CARGO_BUILD_RUSTC\w*|GOFLAGS|GOENV|MAKEFLAGS|MAKEFILES|CURL_HOME|WGETRC|RSYNC_RSH|CVS_RSH|SVN_SSH)$/,
  /^GIT_(?!(AUTHOR|COMMITTER)_|TERMINAL_PROMPT$|\w*(TOKEN|USER|USERNAME|PASSWORD|BRANCH|COMMIT|SHA|REF|URL|REPO|REPOSITORY|TAG)$)/,
  /^npm_config_(.*shell|node[_-]options|.*config|prefix|git|editor|viewer|browser|.*script.*)$/i,
  /^GEMINI_(CLI|SYSTEM)/,
];

/** Throws VALIDATION with a pointer for each variable that a caller may not set. */
export function checkEnvs(envs: Readonly<Record<string, string>>): void {
  const errors: FieldError[] = [];
  for (const [name, value] of Object.entries(envs)) {
    if (REFUSED.some((pattern) => pattern.test(name))) {
      errors.push({ pointer: `/envs/${name}`, message: "this variable may not be set by a caller" });
    } else if (value.includes("\0")) {
      errors.push({ pointer: `/envs/${name}`, message: "a value may not hold NUL" });
    }
  }
  if (errors.length > 0) throw new WireError("VALIDATION", "some variables may not be set", { errors });
}

const SECRET_NAME = /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH|PRIVATE|COOKIE|DSN|SIGNATURE|WEBHOOK/i;

/** The values that must never be shown: by the variable's name, or because a value looks random. */
export function secretValues(envs: Readonly<Record<string, string>>): string[] {
  return Object.entries(envs).flatMap(([name, value]) =>
    SECRET_NAME.test(name) || (value.length >= 16 && /^\S+$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value))
      ? [value]
      : [],
  );
}
