import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, makeBench } from "./fixtures/bench.ts";
import { script } from "./fixtures/fake-messages.ts";

describe("permissions that take their time", { timeout: 150_000 }, () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await makeBench("late");
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it("waits 65 seconds for a hook's answer and for one to a question, and then goes on", async () => {
    const tool = { name: "Bash", input: { command: "echo late > late.txt", description: "x" } };
    const options = ["A", "B"].map((label) => ({ label, description: label }));
    const questions = [{ question: "Which?", header: "h", options, multiSelect: false }];
    const late = await Promise.all(
      [tool, { name: "AskUserQuestion", input: { questions } }].map(async (call) => {
        const session = await bench.session();
        session.decide = async ({ input }) => {
          await sleep(65_000);
          return {
            behavior: "allow",
            input: { ...input, ...("questions" in input ? { answers: { "Which?": "B" } } : {}) },
          };
        };
        return { session, end: await session.turn(script({ tools: [call] }, { text: "ok" })) };
      }),
    );
    for (const { end } of late) expect(end).toMatchObject({ reason: "complete" });
    const workspace = late[0]?.session.context.workspace ?? "";
    expect(await readFile(join(workspace, "late.txt"), "utf8")).toBe("late\n");
    expect(JSON.stringify(bench.fake.requests.map((request) => request.body.messages))).toContain(
      '\\"Which?\\"=\\"B\\"',
    );
  });

  it("takes a denial that comes late, from several calls at once", async () => {
    const session = await bench.session();
    session.decide = async () => {
      await sleep(1_500);
      return { behavior: "deny", message: "too late" };
    };
    const writes = ["a", "b", "c"].map((name) => ({
      name: "Write",
      input: { file_path: join(session.context.workspace, name), content: name },
    }));
    expect(await session.turn(script({ tools: writes }, { text: "ok" }))).toMatchObject({ reason: "complete" });
    expect(session.calls).toHaveLength(3);
    expect(JSON.stringify(bench.fake.requests.at(-1)?.body.messages).match(/too late/g)).toHaveLength(3);
  });
});
