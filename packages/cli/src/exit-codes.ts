/** What the process ends with. */
export const EXIT = {
  success: 0,
  /** The agent, or the host under it, failed. */
  failed: 1,
  /** The command line cannot be understood. */
  usage: 2,
  /** The host refused, a limit ended the run, or a tool call was denied because nobody could be asked. */
  refused: 3,
  interrupted: 130,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure that is told in plain words, without a stack. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  constructor(message: string, exitCode: ExitCode, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "CliError";
    this.exitCode = exitCode;
  }
}
