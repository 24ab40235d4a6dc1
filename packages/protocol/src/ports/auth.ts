/** What a principal may do. */
export type Scope = "read" | "drive" | "approve" | "admin";

/** Who calls. Sessions belong to the principal that made them; `admin` sees all. */
export interface Principal {
  readonly id: string;
  readonly scopes: readonly Scope[];
}

/** What a handler sees of a request. Header names are lower-case. */
export interface AuthRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Decides who a caller is. Null = not authenticated (401). A thrown error counts as null. */
export interface AuthHandler {
  authenticate(request: AuthRequest): Promise<Principal | null>;
}

/** One record of what happened, for an audit log. Written after the commit of the event it speaks of. */
export interface AuditRecord {
  readonly at: number;
  readonly sessionId: string;
  readonly principal: string;
  readonly action: string;
  readonly seq?: number;
  readonly detail?: Readonly<Record<string, string | number | boolean | null>>;
}

/** Where audit records go. Failures are counted and logged by the host, never swallowed unseen. */
export interface AuditSink {
  record(record: AuditRecord): void | Promise<void>;
}
