import type { z } from "zod";
import type { Scope } from "./ports/auth.ts";
import { CreateSessionBody, ForkBody, SessionCreated, SessionInfo, SessionPage } from "./wire/create.ts";
import { Ack, MessageAccepted, Ok, PermissionDecisionBody, PermissionList, SendMessageBody } from "./wire/drive.ts";
import {
  DeleteQuery,
  EditBody,
  Edited,
  FileQuery,
  FileWritten,
  MkdirBody,
  MoveBody,
  Tree,
  TreeQuery,
  WatchQuery,
} from "./wire/fs.ts";
import { Health } from "./wire/health.ts";
import { EventsQuery, SessionsQuery } from "./wire/query.ts";

/** One route of the protocol. `path` uses `:name` parameters. */
export interface RouteSpec {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly summary: string;
  /** Scope a principal needs; null = open to everybody. */
  readonly scope: Scope | null;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType | "bytes";
  /** True when an absent body is as good as `{}`. */
  readonly bodyOptional?: boolean;
  readonly status: number;
  readonly response: z.ZodType | "events" | "bytes" | "watch";
  /** Honours `Idempotency-Key`. */
  readonly idempotent?: boolean;
}

const S = "/v1/sessions/:sessionId";

/** Every route of the Harness Protocol, by name. */
export const ROUTES = {
  health: {
    method: "GET",
    path: "/v1/health",
    summary: "What this host is and can do",
    scope: null,
    status: 200,
    response: Health,
  },
  chat: {
    method: "POST",
    path: "/v1/chat",
    summary: "One turn, streamed in the response",
    scope: "drive",
    body: CreateSessionBody,
    status: 200,
    response: "events",
  },
  createSession: {
    method: "POST",
    path: "/v1/sessions",
    summary: "Create a session",
    scope: "drive",
    body: CreateSessionBody,
    status: 201,
    response: SessionCreated,
    idempotent: true,
  },
  listSessions: {
    method: "GET",
    path: "/v1/sessions",
    summary: "Own sessions, newest first",
    scope: "read",
    query: SessionsQuery,
    status: 200,
    response: SessionPage,
  },
  getSession: {
    method: "GET",
    path: S,
    summary: "Metadata of a session",
    scope: "read",
    status: 200,
    response: SessionInfo,
  },
  deleteSession: {
    method: "DELETE",
    path: S,
    summary: "End a session and release what it holds",
    scope: "drive",
    status: 200,
    response: Ok,
  },
  events: {
    method: "GET",
    path: `${S}/events`,
    summary: "Replay and follow the events",
    scope: "read",
    query: EventsQuery,
    status: 200,
    response: "events",
  },
  sendMessage: {
    method: "POST",
    path: `${S}/messages`,
    summary: "Queue or steer a message",
    scope: "drive",
    body: SendMessageBody,
    status: 202,
    response: MessageAccepted,
    idempotent: true,
  },
  listPermissions: {
    method: "GET",
    path: `${S}/permissions`,
    summary: "Open permission requests",
    scope: "read",
    status: 200,
    response: PermissionList,
  },
  answerPermission: {
    method: "POST",
    path: `${S}/permission/:callId`,
    summary: "Answer a permission request",
    scope: "approve",
    body: PermissionDecisionBody,
    status: 200,
    response: Ack,
  },
  interrupt: {
    method: "POST",
    path: `${S}/interrupt`,
    summary: "End the running turn",
    scope: "drive",
    bodyOptional: true,
    status: 200,
    response: Ok,
  },
  cancel: {
    method: "POST",
    path: `${S}/cancel`,
    summary: "End the session",
    scope: "drive",
    bodyOptional: true,
    status: 200,
    response: Ok,
  },
  endInput: {
    method: "POST",
    path: `${S}/end-input`,
    summary: "Finish once all turns are done",
    scope: "drive",
    bodyOptional: true,
    status: 200,
    response: Ok,
  },
  fork: {
    method: "POST",
    path: `${S}/fork`,
    summary: "Go on with a copy of the conversation",
    scope: "drive",
    body: ForkBody,
    bodyOptional: true,
    status: 201,
    response: SessionCreated,
    idempotent: true,
  },
  fsTree: {
    method: "GET",
    path: `${S}/fs/tree`,
    summary: "List a folder",
    scope: "read",
    query: TreeQuery,
    status: 200,
    response: Tree,
  },
  fsRead: {
    method: "GET",
    path: `${S}/fs/file`,
    summary: "Read a file",
    scope: "read",
    query: FileQuery,
    status: 200,
    response: "bytes",
  },
  fsWrite: {
    method: "PUT",
    path: `${S}/fs/file`,
    summary: "Write a file",
    scope: "drive",
    query: FileQuery,
    body: "bytes",
    status: 200,
    response: FileWritten,
  },
  fsDelete: {
    method: "DELETE",
    path: `${S}/fs/file`,
    summary: "Delete a file or folder",
    scope: "drive",
    query: DeleteQuery,
    status: 200,
    response: Ok,
  },
  fsEdit: {
    method: "POST",
    path: `${S}/fs/edit`,
    summary: "Replace a string in a file",
    scope: "drive",
    body: EditBody,
    status: 200,
    response: Edited,
  },
  fsMkdir: {
    method: "POST",
    path: `${S}/fs/mkdir`,
    summary: "Make a folder",
    scope: "drive",
    body: MkdirBody,
    status: 200,
    response: Ok,
  },
  fsMove: {
    method: "POST",
    path: `${S}/fs/move`,
    summary: "Move a file or folder",
    scope: "drive",
    body: MoveBody,
    status: 200,
    response: Ok,
  },
  fsWatch: {
    method: "GET",
    path: `${S}/fs/watch`,
    summary: "Follow changes of files",
    scope: "read",
    query: WatchQuery,
    status: 200,
    response: "watch",
  },
} as const satisfies Record<string, RouteSpec>;

/** Name of a route. */
export type RouteName = keyof typeof ROUTES;
