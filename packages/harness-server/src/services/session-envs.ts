import { type FieldError, WireError } from "@computeragent/protocol";

/** Variables that change how programs are loaded or found: a caller may not set them for an agent. */
const REFUSED = [
  /^(LD|DYLD)_/,
  /^NODE_/,
  /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|IFS|PS4|PROMPT_COMMAND)$/,
  /^BASH_FUNC_/,
  /^PYTHON(PATH|STARTUP|HOME)$/,
  /^(PERL5?(LIB|OPT)|RUBY(LIB|OPT)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS)$/,
  /^GIT_(SSH|SSH_COMMAND|ASKPASS|EXEC_PATH|EXTERNAL_DIFF|CONFIG.*|PROXY_COMMAND|TEMPLATE_DIR)$/,
  /^(PATH|HOME|SHELL|TMPDIR|USER|LOGNAME)$/,
  /^COMPUTERAGENT_/,
  /^CLAUDE_/,
  /^CODEX_/,
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
