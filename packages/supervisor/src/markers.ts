/** Environment variable of every child: `${hostId}:${sessionId}`. */
export const OWNER_VARIABLE = "COMPUTERAGENT_OWNER";

/**
 * Environment variable that names one child of one run of a supervisor, `${incarnation}.${number}`.
 * A watchdog sweeps by it, so that it never touches a successor of the host that has the same host id.
 */
export const CHILD_VARIABLE = "COMPUTERAGENT_CHILD";

/** Value of one variable in the bytes of a `/proc/PID/environ`. */
export function environValue(environ: Buffer, name: string): string | undefined {
  const needle = `${name}=`;
  for (let at = environ.indexOf(needle); at !== -1; at = environ.indexOf(needle, at + 1)) {
    if (at > 0 && environ[at - 1] !== 0) continue;
    const end = environ.indexOf(0, at);
    return environ.toString("utf8", at + needle.length, end === -1 ? environ.length : end);
  }
  return undefined;
}
