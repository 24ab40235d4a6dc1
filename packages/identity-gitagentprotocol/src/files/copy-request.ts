import type { NoticeList } from "../model/notices.ts";
import type { Budget } from "./budget.ts";

/** Where notices about what was found go. */
export type NoticeSink = Pick<NoticeList, "add">;

/** What to copy and what to leave out. Both folders must exist; `to` should be empty. */
export interface CopyRequest {
  /** A real path: no part of it is a link. */
  readonly from: string;
  readonly to: string;
  /** Names that are left out wherever they stand. */
  readonly leaveOut: ReadonlySet<string>;
  /** Whether `.gitignore` files have a say. */
  readonly gitignore: boolean;
  readonly budget: Budget;
  readonly notices: NoticeSink;
  readonly signal: AbortSignal;
}
