import type { Upstream } from "../upstream.ts";
import { type CompileFor, respond } from "./anthropic/respond.ts";
import { compileScenario, matches } from "./scenario/compile.ts";
import type { Scenario } from "./scenario/schema.ts";
import { compileDirectives, compilePlain } from "./script/directives.ts";

/** Options of the offline model. The first scenario that matches a message answers it; directive lines come before all. */
export interface OfflineModelOptions {
  readonly scenarios?: readonly Scenario[];
}

/** The offline model as an endpoint that speaks the Anthropic Messages API. Keeps no state. */
export function createOfflineModel({ scenarios = [] }: OfflineModelOptions = {}): Upstream {
  const compileFor: CompileFor = (request) => (user) => {
    const directives = compileDirectives(user);
    if (directives) return directives;
    const scenario = scenarios.find((item) => matches(item, { ...request, user }));
    return scenario ? compileScenario(scenario, user) : compilePlain(user);
  };
  const names = ["directives", ...scenarios.map((scenario) => scenario.name)].map((name) => `offline-${name}`);
  return { send: (call) => respond(call, compileFor, names) };
}
