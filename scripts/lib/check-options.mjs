// The command line of the checks.

/** Every check by name, in the order of the summary. */
export const CHECKS = /** @type {const} */ (["lint", "types", "boundaries", "unused", "size", "tests"]);

/** @typedef {(typeof CHECKS)[number]} CheckName */
/** @typedef {{ only: Set<string>, coverage: boolean, filters: string[] }} CheckOptions `filters` narrow the test files, and switch coverage off */

/**
 * @param {readonly string[]} argv
 * @returns {CheckOptions | string} the options, or what is wrong with them
 */
export function parseCheckOptions(argv) {
  /** @type {CheckOptions} */
  const options = { only: new Set(CHECKS), coverage: true, filters: [] };
  for (let i = 0; i < argv.length; i += 1) {
    const arg = argv[i] ?? "";
    if (arg === "--no-coverage") options.coverage = false;
    else if (arg === "--only" || arg.startsWith("--only=")) {
      const list = arg === "--only" ? (argv[++i] ?? "") : arg.slice("--only=".length);
      const names = list.split(",");
      const unknown = names.find((name) => !CHECKS.includes(/** @type {CheckName} */ (name)));
      if (unknown !== undefined) return `--only: unknown check "${unknown}"; there are ${CHECKS.join(", ")}`;
      options.only = new Set(names);
    } else if (arg.startsWith("-")) return `unknown option ${arg}; there are --only NAME,NAME and --no-coverage`;
    else options.filters.push(arg);
  }
  return options;
}
