import { z } from "zod";
import { SESSION_ID_PATTERN } from "../ids.ts";
import { JsonObjectSchema, SHALLOW, whole } from "../json.ts";
import { IdentityInfo, IdentityRef } from "./identity.ts";
import { UserMessage } from "./message.ts";
import { Access, Capability, Limits, PermissionMode, SessionStatus, Usage } from "./vocabulary.ts";

/** The folder the agent works in. */
export const Workspace = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("identity") }),
    z.strictObject({ type: z.literal("local"), path: z.string().min(1).max(4096) }),
    z.strictObject({
      type: z.literal("git"),
      url: z.string().min(1).max(2048),
      ref: z.string().min(1).max(256).optional(),
    }),
  ])
  .meta({ id: "Workspace" });
export type Workspace = z.infer<typeof Workspace>;

/** A file written into the workspace before the engine starts; `path` is jailed. */
export const Attachment = z
  .strictObject({
    path: z.string().min(1).max(4096),
    content: z.string(),
    encoding: z.enum(["utf8", "base64"]).optional(),
  })
  .meta({ id: "Attachment" });
export type Attachment = z.infer<typeof Attachment>;

/** Body of `POST /v1/sessions` and `POST /v1/chat`. */
export const CreateSessionBody = z
  .strictObject({
    engine: z.string().min(1).max(128),
    identity: IdentityRef.optional(),
    workspace: Workspace.optional(),
    route: z.string().min(1).max(128).optional(),
    access: Access.optional(),
    permissionMode: PermissionMode.optional(),
    limits: Limits.optional(),
    options: whole(JsonObjectSchema).optional(),
    envs: whole(z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/), z.string().max(65_536))).optional(),
    messages: z.array(UserMessage).max(100).optional(),
    sessionId: z.string().regex(SESSION_ID_PATTERN).optional(),
    sessionStore: z.strictObject({ name: z.string().min(1).max(128) }).optional(),
    attachments: z.array(Attachment).max(1000).optional(),
  })
  .refine(...SHALLOW)
  .meta({ id: "CreateSessionBody" });
export type CreateSessionBody = z.infer<typeof CreateSessionBody>;

/** Body of `POST …/fork`: everything else is taken from the parent. */
export const ForkBody = z
  .strictObject({ sessionId: z.string().regex(SESSION_ID_PATTERN).optional() })
  .meta({ id: "ForkBody" });
export type ForkBody = z.infer<typeof ForkBody>;

/** Answer to a create and a fork. */
export const SessionCreated = z
  .object({
    sessionId: z.string(),
    engine: z.string(),
    identity: IdentityInfo.nullable(),
    gap: IdentityInfo.nullable(),
    capabilities: z.array(Capability),
    eventsUrl: z.string(),
  })
  .meta({ id: "SessionCreated" });
export type SessionCreated = z.infer<typeof SessionCreated>;

/** Metadata of one session. Times are ISO 8601. */
export const SessionInfo = z
  .object({
    sessionId: z.string(),
    engine: z.string(),
    identity: IdentityInfo.nullable(),
    status: SessionStatus,
    createdAt: z.string(),
    lastActivityAt: z.string(),
    turnId: z.string().nullable(),
    turns: z.number().int(),
    queued: z.number().int(),
    readers: z.number().int(),
    pendingPermissions: z.number().int(),
    model: z.string().nullable(),
    route: z.string().nullable(),
    access: Access,
    permissionMode: PermissionMode,
    limits: Limits,
    capabilities: z.array(Capability),
    usage: Usage,
    headId: z.number().int().nullable(),
    ended: z.object({ reason: z.string(), at: z.string() }).nullable(),
    eventsUrl: z.string(),
  })
  .meta({ id: "SessionInfo" });
export type SessionInfo = z.infer<typeof SessionInfo>;

/** One page of `GET /v1/sessions`, newest first. `nextCursor` is null on the last page. */
export const SessionPage = z
  .object({ sessions: z.array(SessionInfo), nextCursor: z.string().nullable() })
  .meta({ id: "SessionPage" });
export type SessionPage = z.infer<typeof SessionPage>;
