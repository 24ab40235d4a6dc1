import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "@computeragent/protocol";
import { errorAnswer } from "../../anthropic/errors.ts";
import { asList, parseObject } from "../../anthropic/json.ts";
import type { UpstreamAnswer, UpstreamCall } from "../../upstream.ts";
import type { Act, Plan } from "../script/act.ts";
import type { Compile } from "../script/program.ts";
import { Replay } from "../script/replay.ts";
import { auxiliaryOf } from "./auxiliary.ts";
import { readConversation } from "./conversation.ts";
import { messageEvents } from "./event-stream.ts";
import { estimateTokens, messageJson, usageOf } from "./message.ts";

/** Chooses how a message is run, given what the request offers. */
export type CompileFor = (request: { readonly system: string; readonly tools: readonly string[] }) => Compile;

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function fail(status: number, message: string): UpstreamAnswer {
  const { headers, body } = errorAnswer(status, message);
  return { status, headers, body: once(Buffer.from(body)) };
}

const json = (value: JsonObject): UpstreamAnswer => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: once(Buffer.from(JSON.stringify(value))),
});

function planFor(body: JsonObject, compileFor: CompileFor): Plan {
  const auxiliary = auxiliaryOf(body);
  if (auxiliary?.kind === "text") {
    return { model: "offline-directives", acts: [{ kind: "text", text: auxiliary.text }] };
  }
  const conversation = readConversation(body);
  const compile = compileFor({ system: conversation.system, tools: conversation.tools.map((tool) => tool.name) });
  const replay = new Replay(conversation, compile);
  if (!auxiliary) return replay.plan();
  const text = `<analysis>The offline model keeps the rest of its script.</analysis>\n<summary>\nA conversation with the offline model, which runs scripts. ${replay.save()}\n</summary>`;
  return { model: replay.plan().model, acts: [{ kind: "text", text }] };
}

/** Splits off what has to be waited for before the answer begins. */
function leadingWait(acts: readonly Act[]): { ms: number; acts: readonly Act[] } {
  const begin = acts.findIndex((act) => act.kind !== "sleep" && act.kind !== "usage");
  const head = begin === -1 ? acts : acts.slice(0, begin);
  const ms = head.reduce((sum, act) => sum + (act.kind === "sleep" ? act.ms : 0), 0);
  return { ms, acts: [...head.filter((act) => act.kind !== "sleep"), ...acts.slice(head.length)] };
}

const waitOf = (act: Act): number =>
  act.kind === "sleep" ? act.ms : act.kind === "stream" ? (act.count - 1) * act.delayMs : 0;

async function answer(plan: Plan, call: UpstreamCall, stream: boolean): Promise<UpstreamAnswer> {
  const { ms, acts } = leadingWait(plan.acts);
  if (ms > 0) await wait(ms, undefined, { signal: call.signal });
  const usage = usageOf(plan, call.body.byteLength);
  const visible = acts.find((act) => act.kind !== "usage");
  if (stream && visible?.kind !== "error") {
    const body = messageEvents({ model: plan.model, acts }, usage, call.signal);
    return { status: 200, headers: { "content-type": "text/event-stream", "cache-control": "no-cache" }, body };
  }
  const rest = acts.reduce((sum, act) => sum + waitOf(act), 0);
  if (rest > 0) await wait(rest, undefined, { signal: call.signal });
  const error = acts.find((act) => act.kind === "error");
  if (error) return fail(error.status, `The offline script asks for the error ${error.status}.`);
  return json(messageJson(plan, usage));
}

function models(names: readonly string[]): UpstreamAnswer {
  const created_at = "2026-01-01T00:00:00Z";
  const data = names.map((id) => ({ type: "model", id, display_name: id, created_at }));
  return json({ data, has_more: false, first_id: names[0] ?? null, last_id: names.at(-1) ?? null });
}

/** Answers the Anthropic Messages API from scripts. */
export async function respond(
  call: UpstreamCall,
  compileFor: CompileFor,
  names: readonly string[],
): Promise<UpstreamAnswer> {
  const path = call.target.split("?", 1)[0];
  if (call.method === "GET" && path === "/v1/models") return models(names);
  if (path !== "/v1/messages" && path !== "/v1/messages/count_tokens") {
    return fail(404, "The offline model has no such endpoint.");
  }
  if (call.method !== "POST") return fail(405, "This endpoint takes POST only.");
  const body = parseObject(call.body);
  if (!body) return fail(400, "The body is not a JSON object.");
  if (path !== "/v1/messages") return json({ input_tokens: estimateTokens(call.body.byteLength) });
  if (asList(body.messages).length === 0) return fail(400, "messages: at least one message is required.");
  return answer(planFor(body, compileFor), call, body.stream === true);
}
