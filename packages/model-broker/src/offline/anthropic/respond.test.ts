import { describe, expect, it } from "vitest";
import { createOfflineModel } from "../model.ts";
import { ask, assistant, content, ENVIRONMENT, result, text, tool, use, user } from "./body.test-support.ts";

const events = (stream: string) =>
  stream
    .trim()
    .split("\n\n")
    .map((event) => {
      const [name = "", data = ""] = event.split("\n");
      return { name: name.slice("event: ".length), data: JSON.parse(data.slice("data: ".length)) };
    });

/** Puts a stream together as a client does. */
function assemble(stream: string) {
  const blocks: Record<string, string>[] = [];
  for (const { name, data } of events(stream)) {
    if (name === "content_block_start") blocks[data.index] = { ...data.content_block };
    const block = blocks[data.index] ?? {};
    if (data.delta?.type === "text_delta") block.text += data.delta.text;
    if (data.delta?.type === "thinking_delta") block.thinking += data.delta.thinking;
    if (data.delta?.type === "signature_delta") block.signature = data.delta.signature;
    if (data.delta?.type === "input_json_delta") block.json = (block.json ?? "") + data.delta.partial_json;
  }
  return blocks.map(({ id: _, json, ...block }) =>
    json === undefined ? block : { ...block, input: JSON.parse(json) },
  );
}

const raw = async (method: string, target: string, body: string) => {
  const bytes = Buffer.from(body);
  const signal = new AbortController().signal;
  const answer = await createOfflineModel().send({ method, target, headers: {}, body: bytes, signal });
  let answered = "";
  for await (const chunk of answer.body) answered += Buffer.from(chunk).toString();
  return { status: answer.status, headers: answer.headers, body: JSON.parse(answered) };
};

describe("the offline model", () => {
  it("uses the tools of the engine, with paths from where it works", async () => {
    const script = (line: string) => content([user(line), ENVIRONMENT]);
    expect(await script("!read a/../b.txt")).toMatchObject([
      { name: "Read", input: { file_path: "/srv/my project/b.txt" } },
    ]);
    expect(await script("!write /x y\\nz")).toMatchObject([
      { name: "Write", input: { file_path: "/x", content: "y\nz" } },
    ]);
    expect(await script("!edit f a => b")).toMatchObject([
      { name: "Edit", input: { file_path: "/srv/my project/f", old_string: "a", new_string: "b" } },
    ]);
    expect(await script("!bash ls")).toMatchObject([{ type: "tool_use", name: "Bash", input: { command: "ls" } }]);
    expect(await script('!tool X {"a":[1]}')).toMatchObject([{ name: "X", input: { a: [1] } }]);
  });

  it("uses whatever names another engine has for them", async () => {
    const tools = [
      tool("exec_command", ["cmd"]),
      tool("mcp__acp__read", ["path"]),
      tool("replace", ["file_path", "old_string", "new_string", "instruction"]),
    ];
    const script = (line: string) => content([user(line)], { tools });
    expect(await script("!bash ls")).toMatchObject([{ name: "exec_command", input: { cmd: "ls" } }]);
    expect(await script("!read f")).toMatchObject([{ name: "mcp__acp__read", input: { path: "f" } }]);
    expect(await script("!edit f a => b")).toMatchObject([
      { name: "replace", input: { file_path: "f", old_string: "a", new_string: "b", instruction: expect.any(String) } },
    ]);
    expect(await script("!write f x")).toMatchObject([
      { type: "text", text: expect.stringContaining("no tool for !write") },
    ]);
    const list = { type: "object", properties: { command: { type: "array" } } };
    expect(await content([user("!bash ls")], { tools: [{ name: "shell", input_schema: list }] })).toMatchObject([
      { input: { command: ["bash", "-lc", "ls"] } },
    ]);
  });

  it("streams what it also gives in one piece", async () => {
    const script = [
      user(
        "!think one\n!say héllo wörld 🎉 and a text that is longer than one piece of it\n!say b\n!stream 3 8 0\n!bash x",
      ),
    ];
    const whole = (await content(script)).map(({ id: _, ...block }) => block);
    const { text: stream } = await ask(script, { stream: true });
    expect(assemble(stream)).toEqual(whole);
    expect(whole[1]?.text).toBe(
      "héllo wörld 🎉 and a text that is longer than one piece of it\nb\n0 ......1 ......2 ......",
    );
    const names = events(stream).map((event) => event.name);
    expect([names[0], names.at(-2), names.at(-1)]).toEqual(["message_start", "message_delta", "message_stop"]);
    for (const { name, data } of events(stream)) expect(data.type).toBe(name);
    expect(events(stream).at(-2)?.data.delta.stop_reason).toBe("tool_use");
  });

  it("streams as many pieces of as many bytes as asked for", async () => {
    const { text: stream } = await ask([user("!stream 2000 80 0")], { stream: true });
    const deltas = events(stream).filter((event) => event.name === "content_block_delta");
    expect(deltas).toHaveLength(2000);
    expect(deltas.every((event) => event.data.delta.text.length === 80)).toBe(true);
    expect(deltas[1999]?.data.delta.text).toMatch(/^1999 /);
  });

  it("says which model it is, why it ends, and what it used", async () => {
    const { body } = await ask([user("!say hi")]);
    expect(body).toMatchObject({ model: "offline-directives", role: "assistant", stop_reason: "end_turn" });
    expect(body.usage).toMatchObject({ cache_read_input_tokens: 0, output_tokens: 1 });
    expect((await ask([user("!say hi")])).body.usage).toEqual(body.usage);
    const stated = await ask([user("!usage 7 8\n!bash ls")]);
    expect(stated.body).toMatchObject({ stop_reason: "tool_use", usage: { input_tokens: 7, output_tokens: 8 } });
    const { text: stream } = await ask([user("!usage 7 8\n!say x")], { stream: true });
    expect(events(stream)[0]?.data.message.usage.input_tokens).toBe(7);
    expect(events(stream).at(-2)?.data.usage).toMatchObject({ input_tokens: 7, output_tokens: 8 });
  });

  it("waits where it is told to, and stops waiting when nobody listens", async () => {
    const begin = performance.now();
    await ask([user("!sleep 60\n!say a\n!sleep 60\n!say b")]);
    expect(performance.now() - begin).toBeGreaterThan(110);
    const { text: stream } = await ask([user("!say a\n!sleep 10\n!say b")], { stream: true });
    expect(assemble(stream)).toEqual([{ type: "text", text: "a\nb" }]);
    const gone = new AbortController();
    const body = Buffer.from(JSON.stringify({ messages: [user("!sleep 600000\n!say a")] }));
    const call = { method: "POST", target: "/v1/messages", headers: {}, body, signal: gone.signal };
    const answer = createOfflineModel().send(call);
    gone.abort();
    await expect(answer).rejects.toThrow("aborted");
  });

  it.each([
    [400, "invalid_request_error"],
    [401, "authentication_error"],
    [403, "permission_error"],
    [404, "not_found_error"],
    [418, "invalid_request_error"],
    [429, "rate_limit_error"],
    [500, "api_error"],
    [529, "overloaded_error"],
  ])("answers with the error %i", async (status, type) => {
    const answer = await raw(
      "POST",
      "/v1/messages",
      JSON.stringify({ stream: true, messages: [user(`!error ${status}`)] }),
    );
    expect(answer).toMatchObject({ status, body: { type: "error", error: { type } } });
    expect(answer.headers["retry-after"]).toBe(status === 429 ? "1" : undefined);
  });

  it("breaks off in the middle of a stream when the error comes after a text", async () => {
    const script = [user("!say a\n!error 529\n!say never")];
    const { text: stream } = await ask(script, { stream: true });
    expect(events(stream).at(-1)).toMatchObject({ name: "error", data: { error: { type: "overloaded_error" } } });
    expect(await ask(script)).toMatchObject({ status: 529 });
  });

  it("names a line that it does not understand, and goes on", async () => {
    const [first] = await content([user("!fly away\n!ask Bash {}\n!say b")]);
    expect(first?.text).toMatch(/!fly away\nunknown directive !fly\n!ask is understood by the mock engine only.*\nb$/);
  });

  it("says what it is to a message without directives, and repeats it", async () => {
    const { body } = await ask([user("What is 1 + 1?")]);
    expect(JSON.stringify(body.content)).toMatch(/offline model.*What is 1 \+ 1\?/);
    expect(body.model).toBe("offline-directives");
    const [long] = await content([user("x".repeat(100_000))]);
    expect(String(long?.text).length).toBeLessThan(5000);
  });

  it("gives requests beside the conversation what they expect, and does not go on with the script", async () => {
    const script = "!bash rm x";
    const schema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
    const format = { output_config: { format: { type: "json_schema", schema } }, tools: [] };
    const [title] = await content([user(`<session>\n${script}\n</session>`)], format);
    expect(JSON.parse(String(title?.text))).toEqual({ title: "Offline session" });
    const suggestion = await content([
      user(script),
      assistant(use("t")),
      user([result("t"), text("[SUGGESTION MODE: what next?]")]),
    ]);
    expect(suggestion).toMatchObject([{ type: "text" }]);
    const compact = "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools. <analysis> then <summary>";
    const [summary] = await content([user(script), assistant(use("t")), user([result("t"), text(compact)])]);
    expect(summary?.text).toMatch(/^<analysis>.*<\/analysis>\n<summary>[\s\S]*<\/summary>$/);
  });

  it("makes the smallest value that a schema allows", async () => {
    const schema = {
      type: "object",
      required: ["a", "b", "c", "d", "e", "f", "g"],
      properties: {
        a: { enum: ["x", "y"] },
        b: { type: "boolean" },
        c: { type: "integer", minimum: 3 },
        d: { type: "array" },
        e: { anyOf: [{ type: "null" }, { type: "string" }] },
        f: { type: "object" },
        g: { type: ["string", "null"] },
      },
    };
    const format = { output_config: { format: { type: "json_schema", schema } }, tools: [] };
    const [answer] = await content([user("x")], format);
    expect(JSON.parse(String(answer?.text))).toEqual({ a: "x", b: false, c: 3, d: [], e: null, f: {}, g: "offline" });
  });

  it("counts tokens, lists its models, and refuses what it has not", async () => {
    const body = JSON.stringify({ messages: [user("x")] });
    expect((await raw("POST", "/v1/messages/count_tokens", body)).body).toEqual({
      input_tokens: Math.ceil(body.length / 4),
    });
    expect((await raw("GET", "/v1/models", "")).body.data).toMatchObject([{ id: "offline-directives" }]);
    expect(await raw("POST", "/v1/complete", body)).toMatchObject({
      status: 404,
      body: { error: { type: "not_found_error" } },
    });
    expect(await raw("GET", "/v1/messages", "")).toMatchObject({ status: 405 });
    expect(await raw("POST", "/v1/messages", "no json")).toMatchObject({ status: 400 });
    expect(await raw("POST", "/v1/messages", "{}")).toMatchObject({ status: 400 });
  });
});
