import { z } from "zod";

/** `ca_replay_gap`: the cursor cannot be honoured; what follows starts at `oldestId`. Never has an id. */
export const ReplayGapData = z
  .object({
    requestedId: z.number().int().nullable(),
    oldestId: z.number().int().nullable(),
    headId: z.number().int().nullable(),
  })
  .meta({ id: "ReplayGap" });
export type ReplayGapData = z.infer<typeof ReplayGapData>;

/** `ca_resync`: the server ends this stream; connect again with the cursor. Best effort. Never has an id. */
export const ResyncData = z.object({ reason: z.enum(["reader_too_slow", "draining", "limit"]) }).meta({ id: "Resync" });
export type ResyncData = z.infer<typeof ResyncData>;

/** `fs.change` of the watch stream. */
export const FsChangeData = z
  .object({ path: z.string(), kind: z.enum(["create", "modify", "delete", "overflow"]) })
  .meta({ id: "FsChange" });
export type FsChangeData = z.infer<typeof FsChangeData>;
