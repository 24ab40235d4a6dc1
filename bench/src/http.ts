import type { ServeProcess } from "./serve.ts";

/** Posts JSON; the answer's body. Throws with the answer's text when it is an error. */
export async function postJson(url: string, body: unknown): Promise<{ [key: string]: string }> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { [key: string]: string };
}

/** Creates a session; its id. */
export async function createSession(url: string, body: object): Promise<string> {
  return (await postJson(`${url}/v1/sessions`, body)).sessionId ?? "";
}

/** Creates a session of the mock engine with partials in the host's workspace; its id. */
export function mockSession({ url, workspace }: ServeProcess): Promise<string> {
  const options = { includePartials: true };
  return createSession(url, { engine: "mock", workspace: { type: "local", path: workspace }, options });
}
