import type { Issue } from "../model/issues.ts";
import { NoticeList } from "../model/notices.ts";

/** What a reading of an identity brings to light: problems that stop it, notices that do not. */
export interface Report {
  readonly issues: Issue[];
  readonly notices: NoticeList;
}

/** An empty report. */
export function newReport(): Report {
  return { issues: [], notices: new NoticeList() };
}
