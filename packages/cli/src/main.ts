import { CommanderError } from "commander";
import { CliError, EXIT, type ExitCode } from "./exit-codes.ts";
import { buildProgram } from "./program.ts";

/** Runs the command line and returns the exit code; failures are told in plain words on stderr. */
export async function main(name: string, args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.success;
  try {
    await buildProgram(name, (result) => {
      code = result;
    }).parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.success : EXIT.usage;
    return explain(error);
  }
}

function explain(error: unknown): ExitCode {
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  if (error instanceof CliError) {
    say(error.message);
    return error.exitCode;
  }
  if (isClientError(error)) {
    const [first = "", ...more] = error.message.split("\n");
    say([`${first} [${error.code}]`, ...more.filter((line) => !`${first} `.startsWith(`${line.trim()} `))].join("\n"));
    if (error.code === "UNREACHABLE") say("is it running? start one with: computeragent serve");
    return error.code === "UNREACHABLE" || error.code === "BAD_ANSWER" || error.code === "INTERNAL"
      ? EXIT.failed
      : EXIT.refused;
  }
  // What the system says is about the machine, and names the file.
  const isSystems = error instanceof Error && "syscall" in error;
  say(error instanceof Error && !isSystems ? (error.stack ?? error.message) : String(error));
  return EXIT.failed;
}

function isClientError(error: unknown): error is Error & { code: string } {
  return typeof error === "object" && error !== null && Symbol.for("computeragent.client-error") in error;
}
