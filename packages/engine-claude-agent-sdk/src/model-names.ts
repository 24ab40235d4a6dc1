import type { NoticeData, RouteInfo } from "@computeragent/protocol";

const CLAUDE_NAME = /^(claude|opus|sonnet|haiku|fable)\b|^default$/i;

/** The fallback models that a route can serve, in order, and a notice for each one that it cannot. */
export function usableFallbacks(
  model: { readonly name?: string; readonly fallbacks: readonly string[] },
  route: RouteInfo,
): { readonly models: readonly string[]; readonly notices: readonly NoticeData[] } {
  const models: string[] = [];
  const notices: NoticeData[] = [];
  for (const name of new Set(model.fallbacks)) {
    if (name === model.name) continue;
    if (route.offline || route.models.includes(name) || CLAUDE_NAME.test(name)) models.push(name);
    else {
      const message = `The fallback model ${name} is left out: the route ${route.id} serves Claude models.`;
      notices.push({ level: "warning", code: "fallback_model_ignored", message });
    }
  }
  return { models, notices };
}
