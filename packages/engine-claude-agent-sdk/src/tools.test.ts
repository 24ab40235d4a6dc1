import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, makeBench } from "./fixtures/bench.ts";
import { script } from "./fixtures/fake-messages.ts";
import { allowAll, type TestSession } from "./fixtures/test-session.ts";

describe("tools of the real CLI", { timeout: 60_000 }, () => {
  let bench: Bench;
  let session: TestSession;
  const path = (name: string): string => join(session.context.workspace, name);

  beforeAll(async () => {
    bench = await makeBench("tools");
    session = await bench.session();
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it("writes, reads, edits and runs commands, each asked about first", async () => {
    const file = path("a.txt");
    const end = await session.turn(
      script(
        { tools: [{ name: "Write", input: { file_path: file, content: "alpha\nbeta\n" } }] },
        { tools: [{ name: "Read", input: { file_path: file } }] },
        { tools: [{ name: "Edit", input: { file_path: file, old_string: "beta", new_string: "gamma" } }] },
        { tools: [{ name: "Bash", input: { command: "cat a.txt > b.txt", description: "copy" } }] },
        { text: "finished" },
      ),
    );
    expect(end).toMatchObject({ reason: "complete" });
    expect(await readFile(path("b.txt"), "utf8")).toBe("alpha\ngamma\n");
    expect(session.calls.map((call) => call.toolName)).toEqual(["Write", "Read", "Edit", "Bash"]);
    expect(new Set(session.calls.map((call) => call.callId)).size).toBe(4);
  });

  it("denies with the reason, and the turn goes on", async () => {
    session.decide = () => ({ behavior: "deny", message: "not on my watch" });
    const end = await session.turn(
      script({ tools: [{ name: "Write", input: { file_path: path("denied.txt"), content: "x" } }] }, { text: "ok" }),
    );
    session.decide = allowAll;
    expect(end.reason).toBe("complete");
    await expect(readFile(path("denied.txt"))).rejects.toThrow();
    expect(JSON.stringify(bench.fake.requests.at(-1)?.body.messages)).toContain("not on my watch");
  });

  it("runs what a human made of the call", async () => {
    session.decide = (call) => ({ behavior: "allow", input: { ...call.input, command: "echo human > who.txt" } });
    await session.turn(
      script(
        { tools: [{ name: "Bash", input: { command: "echo model > who.txt", description: "x" } }] },
        { text: "ok" },
      ),
    );
    session.decide = allowAll;
    expect(await readFile(path("who.txt"), "utf8")).toBe("human\n");
  });

  it("takes the answer to a question of the model", async () => {
    const options = ["A", "B"].map((label) => ({ label, description: label }));
    const questions = [{ question: "Which?", header: "h", options, multiSelect: false }];
    session.decide = (call) => ({ behavior: "allow", input: { ...call.input, answers: { "Which?": "B" } } });
    await session.turn(script({ tools: [{ name: "AskUserQuestion", input: { questions } }] }, { text: "ok" }));
    session.decide = allowAll;
    expect(JSON.stringify(bench.fake.requests.at(-1)?.body.messages)).toContain('\\"Which?\\"=\\"B\\"');
  });

  it("goes on when a question is let through without an answer, or denied", async () => {
    const options = ["A", "B"].map((label) => ({ label, description: label }));
    const question = {
      name: "AskUserQuestion",
      input: { questions: [{ question: "Who?", header: "h", options, multiSelect: false }] },
    };
    expect(await session.turn(script({ tools: [question] }, { text: "ok" }))).toMatchObject({ reason: "complete" });
    session.decide = () => ({ behavior: "deny", message: "nobody is here" });
    expect(await session.turn(script({ tools: [question] }, { text: "ok" }))).toMatchObject({ reason: "complete" });
    session.decide = allowAll;
    expect(JSON.stringify(bench.fake.requests.at(-1)?.body.messages)).toContain("nobody is here");
  });

  it("names the sub-agent of a call, and ends the turn after it", async () => {
    const inner = script(
      { tools: [{ name: "Bash", input: { command: "echo sub > sub.txt", description: "x" } }] },
      { text: "sub done" },
    );
    const before = session.calls.length;
    const input = { description: "d", prompt: inner, subagent_type: "general-purpose", run_in_background: true };
    const end = await session.turn(script({ tools: [{ name: "Agent", input }] }, { text: "main done" }));
    expect(end.reason).toBe("complete");
    expect(await readFile(path("sub.txt"), "utf8")).toBe("sub\n");
    const [agent, bash] = session.calls.slice(before);
    expect(agent).toMatchObject({ toolName: "Agent" });
    expect(agent).not.toHaveProperty("agentId");
    expect(bash).toMatchObject({ toolName: "Bash", agentId: expect.any(String) });
  });

  it("does not read a file that a message only mentions", async () => {
    await writeFile(path("mentioned.txt"), "CONTENT-OF-THE-FILE");
    await session.turn(`see @mentioned.txt and @${path("mentioned.txt")} ${script({ text: "ok" })}`);
    expect(JSON.stringify(bench.fake.requests.at(-1)?.body.messages)).not.toContain("CONTENT-OF-THE-FILE");
  });

  it("takes unknown commands of the CLI as text", async () => {
    const end = await session.turn(`/config ${script({ text: "as text" })}`);
    expect(end.reason).toBe("complete");
    expect(session.payloads.at(-1)).toBeDefined();
    expect(session.payloads.filter((payload) => payload.type === "result").at(-1)).toMatchObject({ result: "as text" });
  });
});
