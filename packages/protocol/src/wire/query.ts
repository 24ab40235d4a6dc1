import { z } from "zod";
import { SessionStatus } from "./vocabulary.ts";

/** `after` equals the header `Last-Event-ID`; the header wins. */
export const EventsQuery = z.object({ after: z.coerce.number().int().min(-1).optional() });

export const SessionsQuery = z.object({
  status: SessionStatus.optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
  cursor: z.string().max(256).optional(),
});
