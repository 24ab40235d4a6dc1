import { createClient, type HarnessClient } from "@computeragent/sdk";
import { homeOf } from "../host/home.ts";
import { readToken } from "../host/token-file.ts";

/** A client of a running host. The token is the given one, `COMPUTERAGENT_TOKEN`, or, on this machine, the token file's. */
export async function connect(
  env: Readonly<Record<string, string | undefined>>,
  host: string,
  given?: string,
): Promise<HarnessClient> {
  const { hostname } = new URL(host);
  const local = hostname === "localhost" || hostname === "[::1]" || /^127\./.test(hostname);
  const token = given ?? env.COMPUTERAGENT_TOKEN ?? (local ? await readToken(homeOf(env)) : undefined);
  return createClient({ baseUrl: host, ...(token === undefined ? {} : { token }) });
}
