import assert from "node:assert/strict";
import { readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { HostProcess } from "../host.ts";
import type { Attack } from "../under-attack.ts";
import { call } from "../wire.ts";

/** Lets the mock engine run a command, unasked, and gives what it wrote to `out` in its workspace. */
async function inside(host: HostProcess, command: string): Promise<string> {
  const out = join(host.allowed, "out");
  const created = await call(host, "POST", "/v1/sessions", {
    engine: "mock",
    permissionMode: "auto",
    workspace: { type: "local", path: host.allowed },
    messages: [{ role: "user", content: `!bash (${command}) > part 2>&1; mv part out` }],
  });
  assert.equal(created.status, 201, JSON.stringify(created.json));
  let text: string | undefined;
  for (let i = 0; i < 200 && text === undefined; i++) {
    await sleep(50);
    text = await readFile(out, "utf8").catch(() => undefined);
  }
  await call(host, "DELETE", `/v1/sessions/${String(created.json.sessionId)}`);
  await rm(out, { force: true });
  assert.ok(text !== undefined, "the command did not run");
  return text;
}

const curl: Attack = {
  name: "an agent that calls its own host",
  async run(host) {
    const codes = await inside(
      host,
      `for p in sessions chat; do curl -s -o /dev/null -w '%{http_code} ' -X POST -H 'content-type: application/json' -d '{}' ${host.url}/v1/$p; done`,
    );
    assert.equal(codes.trim(), "401 401");
    const seen = await inside(
      host,
      "env; cat /proc/self/environ /proc/$PPID/cmdline; grep -rs . $HOME $TMPDIR | head -c 100000",
    );
    assert.ok(seen.includes("PATH="), "the environment was not seen");
    assert.ok(!seen.includes(host.token), "the host's token is in the agent's reach");
  },
};

const links: Attack = {
  name: "a workspace through a link",
  async run(host) {
    const link = join(host.allowed, "link");
    await symlink(host.home, link);
    const body = { engine: "mock", workspace: { type: "local", path: link } };
    const { status, json } = await call(host, "POST", "/v1/sessions", body);
    await rm(link);
    assert.deepEqual([status, json.code], [403, "WORKSPACE_NOT_ALLOWED"]);
    const file = join(host.allowed, "file");
    await writeFile(file, "");
    const onFile = await call(host, "POST", "/v1/sessions", {
      engine: "mock",
      workspace: { type: "local", path: file },
    });
    await rm(file);
    assert.equal(onFile.status, 400);
  },
};

/** What comes from within, or through the file system. */
export const agent: readonly Attack[] = [curl, links];
