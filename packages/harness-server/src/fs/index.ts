export { writeAttachments } from "./attachments.ts";
export type { Conditions } from "./conditions.ts";
export { removeUnfinished } from "./unfinished.ts";
export type { WorkspaceFs } from "./workspace-fs.ts";
export { createWorkspaceFs } from "./workspace-fs.ts";
