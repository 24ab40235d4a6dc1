import type { NoticeData } from "@computeragent/protocol";
import type { Session } from "../session/session.ts";
import type { SessionSpec } from "../session/session-spec.ts";

/** What a session is to become, before its model access is open. */
export type SessionPlan = Omit<SessionSpec, "envs" | "secrets">;

/** The session for those of its parts that are made before it: `session` is set once it stands. */
export class SessionLink {
  session: Session | undefined;
  /** Notices that came before there was a log; they follow `ca_session_started`. */
  readonly early: NoticeData[];

  constructor(notices: readonly NoticeData[]) {
    this.early = [...notices];
  }

  notice(notice: NoticeData): void {
    if (this.session) this.session.parts.log.emit("ca_notice", notice);
    else this.early.push(notice);
  }
}
