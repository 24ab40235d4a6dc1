import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { blocks, Claude, hasClaude, Place } from "./claude.test-support.ts";
import { openSession } from "./session.test-support.ts";

vi.setConfig({ testTimeout: 180_000 });

const agent = (prompt: string, background: boolean): string =>
  `!tool Agent ${JSON.stringify({ description: "helper", prompt, subagent_type: "general-purpose", run_in_background: background })}`;

describe.skipIf(!hasClaude)("what else Claude Code asks for", () => {
  it("runs the script of a sub-agent in its own prompt, and says whose calls they were", async () => {
    await using place = await Place.make();
    await using session = await openSession();
    await using claude = await Claude.start(place, session.grant);
    const script = `${agent("!bash echo sub >> log\n!say sub is done", false)}\n!bash echo main >> log\n!say main is done`;
    expect((await claude.turn(script)).result).toBe("main is done");
    expect(await place.read("log")).toBe("sub\nmain\n");
    expect(JSON.stringify(blocks(claude.messages, "tool_result"))).toContain("sub is done");
    expect(session.calls.filter((call) => call.agentId !== undefined)).toHaveLength(2);
    expect(session.calls.filter((call) => call.agentId === undefined)).toHaveLength(3);
  });

  it("is not thrown off by the news of a background agent", async () => {
    await using place = await Place.make();
    await using session = await openSession();
    await using claude = await Claude.start(place, session.grant);
    // Its news must come after the turn, however slow the machine is.
    const waits = agent("!bash until [ -e go ]; do sleep 0.1; done\n!say late", true);
    expect((await claude.turn(`${waits}\n!bash echo 1 >> log\n!say main`)).result).toBe("main");
    await writeFile(join(place.work, "go"), "");
    expect((await claude.turn()).result).toBe("Done: the offline script is finished, 2 steps ran.");
    expect((await claude.turn("!bash echo 2 >> log\n!say next")).result).toBe("next");
    expect(await place.read("log")).toBe("1\n2\n");
  });

  it("does not take the text of a skill for a message", async () => {
    await using place = await Place.make();
    await using session = await openSession();
    const plugin = join(place.root, "plugin");
    await mkdir(join(plugin, ".claude-plugin"), { recursive: true });
    await mkdir(join(plugin, "skills", "greet"), { recursive: true });
    const manifest = { name: "extra", version: "1.0.0", description: "a plug-in" };
    await writeFile(join(plugin, ".claude-plugin", "plugin.json"), JSON.stringify(manifest));
    const skill = "---\nname: greet\ndescription: greets\n---\nGreet $ARGUMENTS\n!bash echo never >> log\n";
    await writeFile(join(plugin, "skills", "greet", "SKILL.md"), skill);
    await using claude = await Claude.start(place, session.grant, { plugins: [{ type: "local", path: plugin }] });
    const script = '!tool Skill {"skill":"extra:greet","args":"all"}\n!bash echo 1 >> log\n!say end';
    expect((await claude.turn(script)).result).toBe("end");
    expect(await place.read("log")).toBe("1\n");
  });

  it("goes on after the conversation was compacted in the middle of a script", async () => {
    await using place = await Place.make();
    await using session = await openSession();
    await using claude = await Claude.start(place, session.grant);
    const script =
      "!bash echo 1 >> log\n!usage 990000 10\n!bash echo 2 >> log\n!bash echo 3 >> log\n!bash echo 4 >> log\n!say end";
    expect((await claude.turn(script)).result).toBe("end");
    expect(claude.messages.some((message) => message.subtype === "compact_boundary")).toBe(true);
    expect(await place.read("log")).toBe("1\n2\n3\n4\n");
    expect((await claude.turn("!bash echo 5 >> log\n!say more")).result).toBe("more");
    expect(await place.read("log")).toBe("1\n2\n3\n4\n5\n");
  });

  it("is not thrown off by a stop hook that wants more, nor by what hooks add", async () => {
    await using place = await Place.make();
    await using session = await openSession();
    let stops = 0;
    const context = (hookEventName: string) => ({
      hooks: [async () => ({ hookSpecificOutput: { hookEventName, additionalContext: "!bash echo never >> log" } })],
    });
    const hooks = {
      PostToolUse: [context("PostToolUse")],
      UserPromptSubmit: [context("UserPromptSubmit")],
      Stop: [{ hooks: [async () => (stops++ === 0 ? { decision: "block", reason: "Go on." } : {})] }],
    };
    await using claude = await Claude.start(place, session.grant, { hooks });
    const result = await claude.turn("!bash echo 1 >> log\n!say end");
    expect(result.result).toBe("Done: the offline script is finished, 1 step ran.");
    expect(stops).toBe(2);
    expect(await place.read("log")).toBe("1\n");
  });

  it("counts tokens for the context report", async () => {
    await using place = await Place.make();
    await using session = await openSession();
    await using claude = await Claude.start(place, session.grant);
    await claude.turn("!say hi");
    expect((await claude.query.getContextUsage({ detail: "full" })).totalTokens).toBeGreaterThan(0);
    expect(session.calls).toHaveLength(1);
  });

  it("thinks, and goes on in the same answer", async () => {
    await using place = await Place.make();
    await using session = await openSession();
    await using claude = await Claude.start(place, session.grant);
    expect((await claude.turn("!think hm\n!bash echo 1 >> log\n!think aha\n!say end")).result).toBe("end");
    expect(blocks(claude.messages, "thinking").map((block) => block.thinking)).toEqual(["hm", "aha"]);
    expect(session.calls).toHaveLength(2);
  });
});
