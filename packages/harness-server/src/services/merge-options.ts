import { strictestAccess, strictestMode } from "@computeragent/policy";
import {
  type Access,
  type CreateSessionBody,
  type EngineDriver,
  type Governance,
  Limits,
  PermissionMode,
  WireError,
} from "@computeragent/protocol";
import { z } from "zod";
import { fieldErrors } from "../http/json-body.ts";

/** The five options that every engine accepts as aliases of the body's own fields. */
const Aliases = z.object({
  model: z.string().min(1).max(256).optional(),
  maxTurns: Limits.shape.maxTurns,
  maxBudgetUsd: Limits.shape.maxBudgetUsd,
  permissionMode: PermissionMode.optional(),
  includePartials: z.boolean().optional(),
});

/** What the caller, the manifest and the operator come to. */
export interface Settled {
  readonly model: string | undefined;
  readonly includePartials: boolean;
  readonly permissionMode: PermissionMode;
  readonly access: Access;
  readonly limits: Limits;
  /** What is left for the engine, valid by its own schema. */
  readonly options: unknown;
}

/** Checks the caller's options. Throws OPTION_NOT_ALLOWED for names the engine does not publish, VALIDATION for bad values. */
export function callerOptions(
  body: CreateSessionBody,
  engine: EngineDriver,
): z.infer<typeof Aliases> & { rest: unknown } {
  const given = body.options ?? {};
  const aliases = Aliases.safeParse(given);
  if (!aliases.success) throw invalid(aliases.error, "VALIDATION", "an option has a value that is not valid");
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !Object.hasOwn(Aliases.shape, name)));
  const own = engine.optionsSchema.safeParse(rest);
  if (!own.success) {
    const unknown = own.error.issues.some((issue) => issue.code === "unrecognized_keys");
    throw invalid(
      own.error,
      unknown ? "OPTION_NOT_ALLOWED" : "VALIDATION",
      unknown ? `the engine ${engine.name} does not let a caller set this` : "an option has a value that is not valid",
    );
  }
  const { permissionMode } = aliases.data;
  if (body.permissionMode && permissionMode && body.permissionMode !== permissionMode) {
    throw new WireError("VALIDATION", "permissionMode and options.permissionMode differ", {
      errors: [{ pointer: "/options/permissionMode", message: "differs from permissionMode" }],
    });
  }
  return { ...aliases.data, rest: own.data };
}

/** The strictest of caller, manifest and operator. */
export function settle(
  body: CreateSessionBody,
  options: ReturnType<typeof callerOptions>,
  governance: Governance,
  operator: Limits,
): Settled {
  const mode = body.permissionMode ?? options.permissionMode ?? "ask";
  const access = body.access ?? "workspace_write";
  return {
    model: options.model,
    includePartials: options.includePartials ?? false,
    permissionMode: governance.permissionMode ? strictestMode(mode, governance.permissionMode) : mode,
    access: governance.access ? strictestAccess(access, governance.access) : access,
    limits: smallest(body.limits, governance.limits, operator, {
      ...(options.maxTurns === undefined ? {} : { maxTurns: options.maxTurns }),
      ...(options.maxBudgetUsd === undefined ? {} : { maxBudgetUsd: options.maxBudgetUsd }),
    }),
    options: options.rest,
  };
}

function smallest(...all: readonly (Limits | undefined)[]): Limits {
  const result: Limits = {};
  for (const name of ["maxTurns", "maxBudgetUsd", "maxTokens", "maxWallMs"] as const) {
    const values = all.flatMap((limits) => limits?.[name] ?? []);
    if (values.length > 0) result[name] = Math.min(...values);
  }
  return result;
}

function invalid(error: z.ZodError, code: "VALIDATION" | "OPTION_NOT_ALLOWED", detail: string): WireError {
  return new WireError(code, detail, { errors: fieldErrors(error, "/options") });
}
