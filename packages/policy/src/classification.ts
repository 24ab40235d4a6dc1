import type { Risk, ToolKind } from "@computeragent/protocol";

/** What a tool call is, as far as its name and its input tell. */
export interface Classification {
  readonly risk: Risk;
  readonly kind: ToolKind;
  /** The paths it names, resolved lexically where that is possible. */
  readonly paths: readonly string[];
  /** True when something it reads or writes visibly lies outside the workspace. */
  readonly outside: boolean;
  /** One clause that tells what gave it its risk, for people. */
  readonly reason: string;
}
