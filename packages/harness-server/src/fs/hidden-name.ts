import { randomBytes } from "node:crypto";
import type { ByteName } from "./rel-path.ts";

const HIDDEN = /^\.ca-[0-9a-f]{24}\.tmp$/;

/** A hidden name that no one can guess, for what is not finished yet. */
export function hiddenName(): ByteName {
  return `.ca-${randomBytes(12).toString("hex")}.tmp`;
}

/** Whether something is called like what is not finished yet. */
export function isHiddenName(name: ByteName): boolean {
  return HIDDEN.test(name);
}
