import { readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type BedOptions, type EngineBed, openEngineBed } from "../engine-contract/engine-bed.ts";
import { engineContract } from "../engine-contract/engine-contract.ts";
import { createMockEngine } from "./create-mock-engine.ts";

const engine = createMockEngine();

describe("contract", () => {
  for (const c of engineContract(() => ({ driver: engine }), engine.capabilities)) it(`${c.id}: ${c.behaviour}`, c.run);
});

const beds: EngineBed[] = [];
afterEach(async () => {
  for (const bed of beds.splice(0)) await bed.dispose();
});
const open = async (options: BedOptions = {}, driver = engine) => {
  const bed = await openEngineBed(driver, options);
  beds.push(bed);
  return bed;
};
const messages = (bed: EngineBed) => bed.events.flatMap((e) => (e.kind === "message" ? [e.payload] : []));
const result = (bed: EngineBed) => messages(bed).findLast((m) => m.type === "result");
const texts = (bed: EngineBed) => JSON.stringify(messages(bed).filter((m) => m.type === "assistant"));

describe("steps", () => {
  it("says, thinks and answers what is no script, in Claude's shapes", async () => {
    const bed = await open();
    await bed.turnEnd(bed.send("hello"));
    expect(messages(bed).map((m) => m.type)).toEqual(["system", "assistant", "result"]);
    expect(result(bed)).toMatchObject({ subtype: "success", is_error: false, result: "mock engine received: hello" });
    await bed.turnEnd(bed.send("!think hm\n!say a\n!say b\n!fly"));
    expect(texts(bed)).toContain('"thinking":"hm"');
    expect(texts(bed)).toContain('"text":"a\\nb"');
    expect(result(bed)).toMatchObject({ result: "unknown directive !fly", num_turns: 3 });
  });

  it("uses tools for real and reports their failures", async () => {
    const bed = await open();
    const script = [
      "!write d/a.txt one",
      "!read d/a.txt",
      "!edit d/a.txt none => two",
      "!read missing.txt",
      "!bash echo out; echo err >&2; exit 3",
      '!tool Nope {"x":1}',
      '!tool Read {"path":1}',
      '!tool Bash {"command":"echo by name"}',
    ];
    await bed.turnEnd(bed.send(script.join("\n")));
    const results = messages(bed).filter((m) => m.type === "user");
    const shown = results.map((m) => {
      const [block] = (m.message as { content: { content: string; is_error?: true }[] }).content;
      return [block?.is_error ?? false, block?.content];
    });
    expect(shown).toEqual([
      [false, `File written: ${bed.context.workspace}/d/a.txt`],
      [false, "one"],
      [true, "Error: String to replace not found in file."],
      [true, expect.stringContaining("ENOENT")],
      [true, "Exit code 3\nout\n\nerr\n"],
      [true, "Error: No such tool available: Nope"],
      [true, "Error: InputValidationError: file_path must be a string"],
      [false, "by name\n"],
    ]);
    expect(bed.calls.map((c) => c.toolName)).toEqual(["Write", "Read", "Edit", "Read", "Bash", "Nope", "Read", "Bash"]);
  });

  it("asks with a risk, and tells the input that was allowed", async () => {
    const bed = await open({ authorize: () => ({ behavior: "allow", input: { command: "other" } }) });
    await bed.turnEnd(bed.send('!ask Bash {"command":"rm -rf /"} destructive'));
    expect(bed.calls[0]).toMatchObject({ toolName: "Bash", risk: "destructive", input: { command: "rm -rf /" } });
    expect(JSON.stringify(messages(bed))).toContain('\\"input\\":{\\"command\\":\\"other\\"}');
  });

  it("lets a denial end the turn", async () => {
    const bed = await open({ authorize: () => ({ behavior: "deny", message: "no", interrupt: true }) });
    expect((await bed.turnEnd(bed.send("!bash true\n!say never"))).reason).toBe("interrupted");
    expect(texts(bed)).not.toContain("never");
  });

  it.each([
    [401, "permanent"],
    [404, "permanent"],
    [408, "transient"],
    [429, "limited"],
    [500, "transient"],
    [529, "transient"],
  ])("fails with %i as %s, and works again afterwards", async (status, kind) => {
    const bed = await open();
    const end = await bed.turnEnd(bed.send(`!error ${status}\n!say never`));
    expect(end).toMatchObject({ reason: "error", error: { class: kind, code: `http_${status}` } });
    expect(result(bed)).toMatchObject({ subtype: "success", is_error: true });
    expect((await bed.turnEnd(bed.send("!say ok"))).reason).toBe("complete");
  });

  it("counts usage, states it on demand and prices it", async () => {
    const priced = createMockEngine({ price: (usage) => usage.output_tokens / 100 });
    const bed = await open({}, priced);
    const counted = await bed.turnEnd(bed.send("!say 12345678"));
    expect(counted.usage).toMatchObject({ input_tokens: 4, output_tokens: 2, cost_usd: 0.02 });
    const stated = await bed.turnEnd(bed.send("!usage 100 20\n!usage 1 2"));
    expect(stated.usage).toMatchObject({ input_tokens: 101, output_tokens: 22 });
  });

  it("takes a steered message into the running turn", async () => {
    const bed = await open();
    const turn = bed.send("!bash touch started; sleep 0.5");
    await bed.turnEnd(bed.send("!write steered.txt x", turn));
    expect(readFileSync(join(bed.context.workspace, "steered.txt"), "utf8")).toBe("x");
    expect(bed.turnEnds()).toHaveLength(1);
    bed.send("!say late steer", turn);
    await bed.turnEnd(bed.send("!say next"));
    expect(texts(bed)).toContain("late steer");
    expect(bed.events).toContainEqual(expect.objectContaining({ kind: "notice" }));
    expect(bed.turnEnds()).toHaveLength(2);
  });

  it("interrupts a turn that was only just handed over", async () => {
    const bed = await open();
    const turn = bed.send("!sleep 100000");
    await bed.session.interrupt();
    expect((await bed.turnEnd(turn)).reason).toBe("interrupted");
    expect(result(bed)).toMatchObject({ subtype: "error_during_execution" });
  });
});

describe("stream", () => {
  it("sends one message per piece, as deltas or whole", async () => {
    for (const includePartials of [true, false]) {
      const bed = await open({ context: { includePartials } });
      await bed.turnEnd(bed.send("!stream 2000 80 0"));
      const wanted = includePartials ? "stream_event" : "assistant";
      const pieces = messages(bed).filter(
        (m) => m.type === wanted && (!includePartials || JSON.stringify(m).includes("text_delta")),
      );
      expect(pieces).toHaveLength(2000);
      const whole = messages(bed)
        .filter((m) => m.type === "assistant")
        .map((m) => (m.message as { content: { text: string }[] }).content[0]?.text ?? "")
        .join("");
      expect(whole).toHaveLength(160_000);
      expect(whole).toContain("1999 the quick");
    }
  });

  it("lets other work go on, waits for a slow reader and stops when interrupted", async () => {
    const bed = await open({ context: { includePartials: true } });
    const iterator = bed.session[Symbol.asyncIterator]();
    bed.send = () => "";
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const input = {
      turnId: "t",
      messageIds: ["m"],
      messages: [{ role: "user" as const, content: "!stream 1000000 80 0" }],
    };
    (bed.context.input as unknown as { put(i: object): void }).put({ ...input, delivery: "queue" });
    for (let n = 0; n < 20_000; n++) await iterator.next();
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(2);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await bed.session.interrupt();
    let rest = 0;
    for (let next = await iterator.next(); next.value?.kind !== "turn_end"; next = await iterator.next()) rest++;
    expect(rest).toBeLessThan(2000);
  });
});

describe("memory", () => {
  it("goes on with exactly one copy of the history, also in a fork", async () => {
    const first = await open();
    await first.turnEnd(first.send("!say one"));
    await first.turnEnd(first.send("!say two"));
    const state = first.state() ?? { engineSessionId: "" };
    await first.dispose(true);
    const { sessionId } = first.context;
    const again = await open({ root: first.root, context: { sessionId, resume: { ...state, fork: false } } });
    await again.turnEnd(again.send("three"));
    expect(again.state()).toEqual(state);
    expect(messages(again)[0]).toMatchObject({ subtype: "init", history_messages: 2 });

    const other = await open();
    await cp(join(first.root, "home"), other.context.home, { recursive: true });
    const fork = await open({
      root: other.root,
      context: { sessionId: "sess_fork", resume: { ...state, fork: true } },
    });
    await fork.turnEnd(fork.send("four"));
    expect(messages(fork)[0]).toMatchObject({ history_messages: 3 });
    expect(fork.state()).not.toEqual(state);
  });

  it("refuses a history that is not there", async () => {
    const bed = await open({ context: { resume: { engineSessionId: "gone", fork: false } } });
    bed.send("hi");
    await expect(bed.finished()).rejects.toMatchObject({ error: { class: "permanent", code: "no_conversation" } });
  });

  it("takes a cut script up at the step that was not finished", async () => {
    const first = await open();
    first.send("!bash echo 1 >> log\n!bash echo 2 >> log; touch second; sleep 100\n!bash echo 3 >> log");
    const log = join(first.context.workspace, "log");
    await expect.poll(() => readFileSync(log, "utf8"), { timeout: 20_000 }).toBe("1\n2\n");
    await first.dispose(true);
    const { sessionId } = first.context;
    const resume = { ...(first.state() ?? { engineSessionId: "" }), fork: false };
    const again = await open({
      root: first.root,
      context: { sessionId, resume },
      authorize: (call) => ({
        behavior: "allow",
        input: { command: String(call.input.command).replace("sleep 100", "true") },
      }),
    });
    await again.turnEnd(again.send("<computeragent-recovery>outcome unknown</computeragent-recovery>"));
    expect(readFileSync(log, "utf8")).toBe("1\n2\n2\n3\n");
  });
});
