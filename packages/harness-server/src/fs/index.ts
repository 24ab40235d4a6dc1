export { writeAttachments } from "./attachments.ts";
export type { WorkspaceFs } from "./workspace-fs.ts";
export { createWorkspaceFs } from "./workspace-fs.ts";
