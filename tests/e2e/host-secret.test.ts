import { join } from "node:path";
import { jsonOf } from "@computeragent/testing";
import { expect, it } from "vitest";
import { startHost } from "./host-process.ts";

it.each([
  ["a tool", (path: string) => `!read ${path}`],
  ["a command", (path: string) => `!bash cat ${path}`],
])(
  "an agent that nobody has to ask is asked for all the same before %s reads the host's token",
  async (_what, script) => {
    await using host = await startHost(["--mock"]);
    const workspace = { type: "local" as const, path: host.workspace };
    const id = await host.create({ engine: "mock", permissionMode: "auto", workspace });
    const stream = await host.events(id);
    await host.say(id, `!write own.txt mine\n!read own.txt\n${script(join(host.home, "host-token"))}\n!say done`);
    const asked = jsonOf(await stream.waitFor("ca_permission_request"));
    expect(asked).toMatchObject({ risk: "destructive" });
    const callId = String(asked.callId);
    await host.client.call("answerPermission", { sessionId: id, callId, body: { decision: "deny" } });
    await stream.waitFor("ca_turn_ended");
    const requests = stream.events().filter(({ event }) => event === "ca_permission_request");
    expect(requests).toHaveLength(1);
    expect(
      stream
        .events()
        .map(({ data }) => data)
        .join(),
    ).not.toContain(host.token);
  },
);
