import { WireError } from "@computeragent/protocol";
import type { WorkspaceFs } from "../../../fs/index.ts";
import { type BoundRoute, route } from "../../../http/route.ts";
import { audit, type Host } from "../../../services/host.ts";
import { workspaceFiles } from "../../../services/workspace-files.ts";
import type { Session } from "../../../session/session.ts";
import { postEdit } from "./fs/edit.ts";
import { deleteFile, getFile, putFile } from "./fs/file.ts";
import { postMkdir } from "./fs/mkdir.ts";
import { postMove } from "./fs/move.ts";
import { getTree } from "./fs/tree.ts";

const services = new WeakMap<Session, WorkspaceFs>();

/** The file service of a session's workspace, made at the first use. */
function filesOf(host: Host, session: Session): WorkspaceFs {
  let files = services.get(session);
  if (!files) {
    files = workspaceFiles(host, session.parts.spec.dirs.workspace);
    services.set(session, files);
  }
  return files;
}

/** As `filesOf`, for a change: recorded in the audit log, and counted as activity. */
function changing(host: Host, session: Session, principal: string, action: string, path: string): WorkspaceFs {
  session.touch();
  audit(host, { sessionId: session.id, principal, action, detail: { path } });
  return filesOf(host, session);
}

/** The routes under `/v1/sessions/:id/fs`. */
export const fsRoutes: readonly BoundRoute[] = [
  route("fsTree", ({ host, query, session }) => getTree(filesOf(host, session()), query)),
  route("fsRead", ({ c, host, query, session }) => getFile(c, filesOf(host, session()), query)),
  route("fsWrite", ({ c, host, principal, query, session }) => {
    if (query.format !== undefined) throw new WireError("VALIDATION", "format is for reading only");
    return putFile(c, changing(host, session(), principal.id, "fs.write", query.path), query);
  }),
  route("fsDelete", ({ c, host, principal, query, session }) =>
    deleteFile(c, changing(host, session(), principal.id, "fs.delete", query.path), query),
  ),
  route("fsEdit", ({ c, host, principal, body, session }) =>
    postEdit(c, changing(host, session(), principal.id, "fs.edit", body.path), body),
  ),
  route("fsMkdir", ({ host, principal, body, session }) =>
    postMkdir(changing(host, session(), principal.id, "fs.mkdir", body.path), body),
  ),
  route("fsMove", ({ c, host, principal, body, session }) =>
    postMove(c, changing(host, session(), principal.id, "fs.move", body.from), body),
  ),
];
