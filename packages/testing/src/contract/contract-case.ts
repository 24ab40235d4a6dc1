/** One behaviour that every adapter of a port must show. `run` rejects when the adapter does not. Needs no test framework. */
export interface ContractCase {
  readonly id: string;
  readonly behaviour: string;
  run(): Promise<void>;
}

/** Builds the cases of one suite; ids are `<prefix>.<name>`. `test` gets what `open` made, and `close` always follows. */
export function suite<T>(
  prefix: string,
  open: () => T | Promise<T>,
  close: (subject: T) => unknown,
): (name: string, behaviour: string, test: (subject: T) => Promise<void>) => ContractCase {
  return (name, behaviour, test) => ({
    id: `${prefix}.${name}`,
    behaviour,
    run: async () => {
      const subject = await open();
      try {
        await test(subject);
      } finally {
        await close(subject);
      }
    },
  });
}
