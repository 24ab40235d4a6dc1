/** Where the broker writes what an operator may need: fields first, as pino takes it. Never bodies, never tokens. */
export interface Logger {
  warn(fields: object, message: string): void;
}

/** A logger that writes nothing. */
export const SILENT: Logger = { warn: () => {} };
