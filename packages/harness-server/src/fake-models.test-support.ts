import type { ModelAccess, ModelRequest, RouteInfo } from "@computeragent/protocol";

/** A model access without models: what sessions ask of it is kept in `opened`. */
export interface FakeModels extends ModelAccess {
  readonly opened: (ModelRequest & { closed: boolean })[];
}

/** One route, `fake`; `FAKE_API_KEY` is a credential. */
export function fakeModels(): FakeModels {
  const route: RouteInfo = { id: "fake", protocol: "anthropic", models: ["fake-1"], offline: false };
  const opened: FakeModels["opened"] = [];
  return {
    opened,
    routes: () => [route],
    defaultRoute: "fake",
    credentialNames: ["FAKE_API_KEY"],
    async open(request) {
      const entry = { ...request, closed: false };
      opened.push(entry);
      return {
        route: request.credentials ? { ...route, id: "private" } : route,
        baseUrl: "http://127.0.0.1:1",
        token: "broker-token-1234567890abcdef",
        consumedEnvs: Object.keys(request.credentials ?? {}),
        close: async () => {
          entry.closed = true;
        },
      };
    },
  };
}
