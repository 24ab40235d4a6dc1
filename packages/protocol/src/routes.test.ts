import { describe, expect, it } from "vitest";
import { EventsQuery, PermissionDecisionBody, ROUTES, type RouteSpec, SendMessageBody, TreeQuery } from "./index.ts";

const routes: [string, RouteSpec][] = Object.entries(ROUTES);

describe("route table", () => {
  it("has one route per method and path", () => {
    const keys = routes.map(([, route]) => `${route.method} ${route.path}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(routes)("%s is consistent", (_name, route) => {
    expect(route.path).toMatch(/^\/v1(\/(:?[A-Za-z-]+))+$/);
    expect(route.status).toBeGreaterThanOrEqual(200);
    expect(route.status).toBeLessThan(300);
    if (route.method === "GET") expect(route.body).toBeUndefined();
    if (route.method !== "GET" && route.scope !== null) expect(["drive", "approve"]).toContain(route.scope);
    if (route.idempotent) expect(route.method).toBe("POST");
  });

  it("opens nothing but health", () => {
    expect(routes.filter(([, route]) => route.scope === null).map(([name]) => name)).toEqual(["health"]);
  });
});

describe("queries and bodies", () => {
  it("read numbers from text, within their bounds", () => {
    expect(EventsQuery.parse({ after: "-1" })).toEqual({ after: -1 });
    expect(EventsQuery.parse({})).toEqual({});
    for (const after of ["-2", "1.5", "x", "1e99"]) expect(EventsQuery.safeParse({ after }).success).toBe(false);
    expect(TreeQuery.parse({ depth: "3", limit: "10" })).toEqual({ depth: 3, limit: 10 });
    expect(TreeQuery.safeParse({ depth: "0" }).success).toBe(false);
  });

  it("want an input with modify", () => {
    expect(PermissionDecisionBody.safeParse({ decision: "modify" }).error?.issues[0]?.path).toEqual(["input"]);
    expect(PermissionDecisionBody.safeParse({ decision: "modify", input: {} }).success).toBe(true);
    expect(PermissionDecisionBody.safeParse({ decision: "allow" }).success).toBe(true);
  });

  it("refuse messages of other roles and empty ones, and keep content blocks whole", () => {
    const send = (message: object) => SendMessageBody.safeParse({ message });
    expect(send({ role: "assistant", content: "x" }).success).toBe(false);
    expect(send({ role: "user", content: "" }).success).toBe(false);
    expect(send({ role: "user", content: [] }).success).toBe(false);
    const content = [{ type: "image", source: { type: "base64", data: "AA==" }, cache_control: { type: "ephemeral" } }];
    expect(send({ role: "user", content }).data?.message.content).toEqual(content);
  });
});
