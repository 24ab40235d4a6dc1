import type { ROUTES, RouteName } from "@computeragent/protocol";

type Table = typeof ROUTES;

const S = "/v1/sessions/:sessionId";

/** Method and path of every route: the compiler holds it to the protocol's route table, without loading its schemas. */
export const PATHS = {
  health: ["GET", "/v1/health"],
  chat: ["POST", "/v1/chat"],
  createSession: ["POST", "/v1/sessions"],
  listSessions: ["GET", "/v1/sessions"],
  getSession: ["GET", S],
  deleteSession: ["DELETE", S],
  events: ["GET", `${S}/events`],
  sendMessage: ["POST", `${S}/messages`],
  listPermissions: ["GET", `${S}/permissions`],
  answerPermission: ["POST", `${S}/permission/:callId`],
  interrupt: ["POST", `${S}/interrupt`],
  cancel: ["POST", `${S}/cancel`],
  endInput: ["POST", `${S}/end-input`],
  fork: ["POST", `${S}/fork`],
  fsTree: ["GET", `${S}/fs/tree`],
  fsRead: ["GET", `${S}/fs/file`],
  fsWrite: ["PUT", `${S}/fs/file`],
  fsDelete: ["DELETE", `${S}/fs/file`],
  fsEdit: ["POST", `${S}/fs/edit`],
  fsMkdir: ["POST", `${S}/fs/mkdir`],
  fsMove: ["POST", `${S}/fs/move`],
  fsWatch: ["GET", `${S}/fs/watch`],
} as const satisfies { [N in RouteName]: readonly [Table[N]["method"], Table[N]["path"]] };
