import { z } from "zod";
import { PermissionRequestData } from "../events/permission.ts";
import { JsonObjectSchema, SHALLOW, whole } from "../json.ts";
import { UserMessage } from "./message.ts";

/** Body of `POST …/messages`. `clientMessageId` makes a repeat harmless. */
export const SendMessageBody = z
  .strictObject({
    message: UserMessage,
    delivery: z.enum(["queue", "steer"]).optional(),
    clientMessageId: z.string().min(1).max(128).optional(),
  })
  .refine(...SHALLOW)
  .meta({ id: "SendMessageBody" });
export type SendMessageBody = z.infer<typeof SendMessageBody>;

/** Answer to `POST …/messages`. `turnId` is set when the message already belongs to a turn. */
export const MessageAccepted = z
  .object({ ack: z.literal(true), messageId: z.string(), turnId: z.string().optional() })
  .meta({ id: "MessageAccepted" });
export type MessageAccepted = z.infer<typeof MessageAccepted>;

/** Body of `POST …/permission/:callId`. `modify` needs `input`, which replaces the tool's whole input. */
export const PermissionDecisionBody = z
  .strictObject({
    decision: z.enum(["allow", "deny", "modify"]),
    input: whole(JsonObjectSchema).optional(),
    reason: z.string().max(10_000).optional(),
    scope: z.enum(["once", "session"]).optional(),
  })
  .refine((b) => b.decision !== "modify" || b.input !== undefined, { path: ["input"], message: "modify needs input" })
  .refine(...SHALLOW)
  .meta({ id: "PermissionDecisionBody" });
export type PermissionDecisionBody = z.infer<typeof PermissionDecisionBody>;

/** Answer of calls that only acknowledge. */
export const Ack = z.object({ ack: z.literal(true) }).meta({ id: "Ack" });
/** Answer of calls that succeed without a result. */
export const Ok = z.object({ ok: z.literal(true) }).meta({ id: "Ok" });

/** Open permission requests of a session, oldest first. */
export const PermissionList = z
  .object({ permissions: z.array(PermissionRequestData.extend({ seq: z.number().int() })) })
  .meta({ id: "PermissionList" });
export type PermissionList = z.infer<typeof PermissionList>;
