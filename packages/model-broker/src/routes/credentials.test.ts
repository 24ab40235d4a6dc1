import { WireError } from "@computeragent/protocol";
import { describe, expect, it } from "vitest";
import { privateRoute, routesFromEnv } from "./credentials.ts";
import { billingOf, routeInfo } from "./route.ts";

const KEY = { ANTHROPIC_API_KEY: "sk-ant-x" };

describe("routesFromEnv", () => {
  it("always has the offline route, and Anthropic's when there is a credential", () => {
    expect(routesFromEnv({}).map((route) => route.id)).toEqual(["offline"]);
    expect(routesFromEnv({ ANTHROPIC_API_KEY: " " }).map((route) => route.id)).toEqual(["offline"]);
    expect(routesFromEnv({ ANTHROPIC_BASE_URL: "https://x" }).map((route) => route.id)).toEqual(["offline"]);
    expect(routesFromEnv(KEY)[0]).toEqual({
      id: "anthropic",
      protocol: "anthropic",
      baseUrl: "https://api.anthropic.com",
      credential: { header: "x-api-key", value: "sk-ant-x" },
    });
  });

  it("sends a token as a bearer, before a key", () => {
    const [route] = routesFromEnv({
      ...KEY,
      ANTHROPIC_AUTH_TOKEN: "t",
      ANTHROPIC_BASE_URL: "https://gate.example/api/",
    });
    expect(route).toMatchObject({
      baseUrl: "https://gate.example/api",
      credential: { header: "authorization", value: "Bearer t" },
    });
  });

  it("knows how calls are paid, and tells callers nothing secret", () => {
    const billing = (env: Record<string, string>) => routesFromEnv(env).slice(0, 1).map(billingOf)[0];
    expect(billing({})).toBe("offline");
    expect(billing(KEY)).toBe("metered");
    expect(billing({ ANTHROPIC_AUTH_TOKEN: "t" })).toBe("unknown");
    expect(billing({ ANTHROPIC_AUTH_TOKEN: "sk-ant-oat01-x" })).toBe("subscription");
    expect(routesFromEnv(KEY).map(routeInfo)).toEqual([
      { id: "anthropic", protocol: "anthropic", models: [], offline: false },
      { id: "offline", protocol: "offline", models: ["offline-directives"], offline: true },
    ]);
  });
});

describe("privateRoute", () => {
  it("is there when a caller gives a key", () => {
    expect(privateRoute({}, 1)).toBeNull();
    expect(privateRoute(KEY, 1)).toMatchObject({ id: "private", baseUrl: "https://api.anthropic.com" });
    expect(privateRoute({ ...KEY, ANTHROPIC_BASE_URL: "http://localhost:2" }, 1)?.baseUrl).toBe("http://localhost:2");
  });

  it.each([
    [{ ANTHROPIC_BASE_URL: "https://x" }, "needs ANTHROPIC_API_KEY"],
    [{ ...KEY, ANTHROPIC_BASE_URL: "nonsense" }, "is not a URL"],
    [{ ...KEY, ANTHROPIC_BASE_URL: "file:///etc" }, "must begin with https:"],
    [{ ...KEY, ANTHROPIC_BASE_URL: "http://169.254.169.254" }, "must begin with https:"],
    [{ ...KEY, ANTHROPIC_BASE_URL: "http://127.0.0.1.evil.example" }, "must begin with https:"],
    [{ ...KEY, ANTHROPIC_BASE_URL: "https://a:b@x" }, "must hold no user"],
    [{ ...KEY, ANTHROPIC_BASE_URL: "https://x?a" }, "must hold no user"],
    [{ ...KEY, ANTHROPIC_BASE_URL: "http://127.0.0.1:7777/x" }, "must not point to the broker"],
    [{ ...KEY, ANTHROPIC_BASE_URL: "http://[::1]:7777" }, "must not point to the broker"],
    [{ ...KEY, ANTHROPIC_BASE_URL: "https://127.1:7777" }, "must not point to the broker"],
    [{ ANTHROPIC_API_KEY: "a\r\nx-evil: 1" }, "holds characters"],
    [{ ANTHROPIC_AUTH_TOKEN: "ä" }, "holds characters"],
  ])("refuses %j", (variables, message) => {
    const make = () => privateRoute(variables, 7777);
    expect(make).toThrow(message);
    try {
      make();
    } catch (error) {
      expect(WireError.isInstance(error) && error.code).toBe("VALIDATION");
      expect(WireError.isInstance(error) && error.errors?.[0]?.pointer).toMatch(/^\/envs\/ANTHROPIC_/);
    }
  });
});
