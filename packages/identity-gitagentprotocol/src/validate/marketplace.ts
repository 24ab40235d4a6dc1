import { MarketplaceJson } from "../schema/marketplace.ts";
import type { Scope } from "./scope.ts";
import type { Named } from "./tools.ts";
import { checkSchema, readJsonFile } from "./yaml-file.ts";

/** `marketplace.json` of the agent and of its skills: X1, X24. */
export async function checkMarketplace(scope: Scope, skills: readonly Named[]): Promise<void> {
  for (const folder of ["", ...skills.map(({ stem }) => `skills/${stem}/`)]) {
    const json = await readJsonFile(scope, `${folder}marketplace.json`, "X24");
    if (json) checkSchema(scope, json, MarketplaceJson, "X24");
  }
}
