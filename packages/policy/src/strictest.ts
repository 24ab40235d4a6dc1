import type { Access, Hitl, PermissionMode } from "@computeragent/protocol";

const MODES: readonly PermissionMode[] = ["auto", "deny_destructive", "ask", "ask_all", "deny"];
const ACCESS: readonly Access[] = ["full", "workspace_write", "read_only"];
const HITL: readonly Hitl[] = ["none", "advisory", "destructive", "conditional", "always"];

const later = <T>(order: readonly T[], a: T, b: T): T => (order.indexOf(a) >= order.indexOf(b) ? a : b);

/** The stricter mode, by how much runs without a human: auto, deny_destructive, ask, ask_all, deny. */
export function strictestMode(a: PermissionMode, b: PermissionMode): PermissionMode {
  return later(MODES, a, b);
}

/** The narrower access: full, workspace_write, read_only. */
export function strictestAccess(a: Access, b: Access): Access {
  return later(ACCESS, a, b);
}

/** The stricter supervision: none, advisory, destructive, conditional, always. */
export function strictestHitl(a: Hitl, b: Hitl): Hitl {
  return later(HITL, a, b);
}
