export { writeAttachments } from "./attachments.ts";
export type { OpenedFile } from "./read-file.ts";
export type { WorkspaceFs, WorkspaceFsOptions } from "./workspace-fs.ts";
export { createWorkspaceFs } from "./workspace-fs.ts";
