import type { Cell, Containment } from "./containment.ts";

/** Children run as they are: only process group, marker and watchdog hold them. */
export const plainContainment: Containment = {
  tier: "watchdog",
  cell: (command, args): Cell => ({
    command,
    args,
    inner: (pid) => pid,
    exit: (raw) => raw,
    clear: async () => false,
  }),
};
