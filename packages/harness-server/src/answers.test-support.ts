import { CONTROL_SCHEMAS, Problem, parseEvent, ROUTES, type RouteSpec } from "@computeragent/protocol";
import { jsonOf, type SseFrame } from "@computeragent/testing";
import { expect } from "vitest";
import type { z } from "zod";

/** An answer with its JSON body, if it has one. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by tests only
  readonly body: any;
}

/** Fails unless an answer is what the route table promises, or a problem with its own status. */
export function checkAnswer(method: string, path: string, answer: Answer): void {
  const { status, headers, body } = answer;
  const what = `${method} ${path} ${status} ${JSON.stringify(body)}`;
  for (const name of headers.keys()) expect(name).not.toMatch(/^access-control-/);
  if (method === "HEAD" || status === 204) return;
  if (status >= 400 && headers.get("content-type") === "application/problem+json") {
    expect(Problem.safeParse(body), what).toMatchObject({ success: true });
    expect(body.status, what).toBe(status);
    return;
  }
  const route = routeOf(method, path);
  if (!route || typeof route.response === "string") return;
  if (status < 400) expect(status, what).toBe(route.status);
  expect((route.response as z.ZodType).safeParse(body), what).toMatchObject({ success: true });
}

/** Fails unless every frame has the data of its event's schema, and control frames have no id. */
export function checkFrames(frames: readonly SseFrame[]): void {
  for (const frame of frames) {
    if (frame.comment !== undefined) continue;
    if (frame.id !== null) {
      const parsed = parseEvent(frame.id, frame.event, jsonOf(frame));
      expect(parsed.success, `${frame.event} ${frame.data.slice(0, 500)} ${parsed.error?.message}`).toBe(true);
    } else {
      const schema: z.ZodType | undefined = Object.entries(CONTROL_SCHEMAS).find(([name]) => name === frame.event)?.[1];
      expect(schema?.safeParse(jsonOf(frame)).success, `control frame ${frame.event} ${frame.data}`).toBe(true);
    }
  }
}

function routeOf(method: string, path: string): RouteSpec | undefined {
  const parts = (path.split("?")[0] ?? "").split("/");
  return Object.values<RouteSpec>(ROUTES).find((route) => {
    const wanted = route.path.split("/");
    return (
      route.method === method &&
      wanted.length === parts.length &&
      wanted.every((part, i) => part.startsWith(":") || part === parts[i])
    );
  });
}
