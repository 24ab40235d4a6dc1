import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type HostProcess, startHost } from "./fixtures/host-process.ts";
import { type ContainmentTier, createSupervisor, findOwned, sweepOwner } from "./index.ts";

const binary = claudeBinary();
const probe = await createSupervisor({ hostId: "probe" });
await probe[Symbol.asyncDispose]();
const tiers = probe.tiers.filter(({ available }) => available).map(({ tier }) => tier);

describe.skipIf(binary === undefined)(
  `real Claude binary${binary ? "" : " (not installed)"}`,
  { timeout: 120_000 },
  () => {
    let home = "";
    let host: HostProcess | undefined;

    beforeAll(async () => {
      home = await mkdtemp(join(tmpdir(), "supervisor-claude-"));
    });
    afterEach(() => host?.kill("SIGKILL"));
    afterAll(() => rm(home, { recursive: true, force: true }));

    const startClaude = async (hostId: string, tier: ContainmentTier): Promise<HostProcess> => {
      const started = await startHost(hostId, tier);
      host = started;
      await started.ask({
        op: "spawn",
        session: "s1",
        command: binary,
        args: ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"],
        cwd: home,
        env: {
          HOME: home,
          CLAUDE_CONFIG_DIR: join(home, tier),
          ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
          ANTHROPIC_API_KEY: "none",
        },
      });
      const request = { type: "control_request", request_id: "r1", request: { subtype: "initialize" } };
      await started.ask({ op: "write", session: "s1", text: `${JSON.stringify(request)}\n` });
      await started.line("stdout", (text) => String(text).includes('"control_response"'));
      return started;
    };

    it.each(tiers)("tier %s: it answers, and nothing survives SIGKILL of the host", async (tier) => {
      const hostId = `claude-kill-${process.pid}-${tier}`;
      const { kill, lines } = await startClaude(hostId, tier);
      expect(lines.some((line) => String(line.stdout).includes('"success"'))).toBe(true);
      expect((await findOwned({ hostId })).length).toBeGreaterThan(0);
      await kill("SIGKILL");
      await expect.poll(async () => await findOwned({ hostId }), { timeout: 10_000 }).toEqual([]);
      expect(await sweepOwner(hostId)).toBe(0);
    });

    it.each(tiers)("tier %s: it ends politely on stop()", async (tier) => {
      const hostId = `claude-stop-${process.pid}-${tier}`;
      const { ask } = await startClaude(hostId, tier);
      const answer = await ask({ op: "stop", session: "s1", graceMs: 10_000 });
      expect(answer).toEqual({ done: { exit: { code: 0, signal: null } } });
      expect(await findOwned({ hostId })).toEqual([]);
    });
  },
);

function claudeBinary(): string | undefined {
  try {
    const engine = createRequire(new URL("../../engine-claude-agent-sdk/package.json", import.meta.url));
    const sdk = createRequire(engine.resolve("@anthropic-ai/claude-agent-sdk"));
    const found = sdk.resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/package.json`);
    const path = join(dirname(found), "claude");
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
