import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Conversation, ConversationEvent } from "../conversation.ts";
import type { Act } from "./act.ts";
import { compileDirectives, compilePlain } from "./directives.ts";
import { Replay } from "./replay.ts";

const compile = (text: string) => compileDirectives(text) ?? compilePlain(text);
const tools = [{ name: "Bash", schema: { type: "object", properties: { command: { type: "string" } } } }];
const at = (events: readonly ConversationEvent[]): Conversation => ({ events, tools, system: "" });
const replay = (...events: ConversationEvent[]): Replay => new Replay(at(events), compile);
const acts = (...events: ConversationEvent[]): readonly Act[] => replay(...events).plan().acts;

const user = (text: string): ConversationEvent => ({ type: "user", text });
const steer = (text: string): ConversationEvent => ({ type: "steer", text });
const said = (texts = 1): ConversationEvent => ({ type: "assistant", texts });
const ran = (interrupted = false): ConversationEvent => ({
  type: "result",
  outcome: { name: "Bash", text: "", isError: interrupted, interrupted },
});
const bash = (command: string): Act => ({ kind: "tool", name: "Bash", input: { command } });
const text = (value: string): Act => ({ kind: "text", text: value });

describe("Replay", () => {
  it("gives everything up to the next tool call, then the rest", () => {
    const script = user("!say a\n!think b\n!bash 1\n!bash 2\n!say c");
    expect(acts(script)).toEqual([text("a"), { kind: "think", text: "b" }, bash("1")]);
    expect(acts(script, said(), ran())).toEqual([bash("2")]);
    expect(acts(script, said(), ran(), said(0), ran())).toEqual([text("c")]);
  });

  it("ends a script that ends with a tool by saying so, and says the same when asked on", () => {
    const done = text("Done: the offline script is finished, 1 step ran.");
    expect(acts(user("!bash 1"), said(0), ran())).toEqual([done]);
    expect(acts(user("!bash 1"), said(0), ran(), said())).toEqual([done]);
  });

  it("repeats a call whose outcome was lost, and what came before it in the same answer", () => {
    const script = user("!bash 1\n!say a\n!bash 2");
    expect(acts(script, ran(), said(1), ran(true), said(0), { type: "recovery" })).toEqual([text("a"), bash("2")]);
  });

  it("counts its last words as said only when all of them were", () => {
    const script = user("!say a\n!think b\n!say c");
    expect(acts(script, said(1), { type: "recovery" })).toHaveLength(3);
    expect(acts(script, said(2), { type: "recovery" })).toEqual([
      text("Done: the offline script is finished, 0 steps ran."),
    ]);
  });

  it("replaces a script by the next message, and joins messages that stand together", () => {
    expect(acts(user("!bash 1\n!bash 2"), said(0), ran(), user("!say next"))).toEqual([text("next")]);
    expect(acts(user("!bash 1"), { type: "interrupted" }, user("!say next"))).toEqual([text("next")]);
    expect(acts(user("!say 1"), user("!say 2"))).toEqual([text("1"), text("2")]);
    expect(acts(user("!bash 1"), said(0), user("!say next"))).toEqual([text("next")]);
    expect(acts(user("!bash 1"), said(0), { type: "recovery" }, user("!bash 2"))).toEqual([bash("1")]);
  });

  it("drops a script that was answered with its error when another message follows", () => {
    const error = { kind: "error", status: 401 };
    expect(acts(user("!error 401\n!say never"))).toEqual([error]);
    expect(acts(user("!error 401"), user("!say next"))).toEqual([text("next")]);
    expect(acts(user("!bash 1\n!error 401"), said(0), ran())).toEqual([error]);
    expect(acts(user("!bash 1\n!error 401"), said(0), ran(), said(1), ran())).toEqual([error]);
  });

  it("runs a steered script after the running one, and a late one at once", () => {
    const script = user("!bash 1\n!bash 2\n!say a");
    expect(acts(script, said(0), ran(), steer("!bash 3\n!say b"))).toEqual([bash("2")]);
    const later = [script, said(0), ran(), steer("!bash 3\n!say b"), said(0), ran()];
    expect(acts(...later)).toEqual([text("a"), bash("3")]);
    expect(acts(...later, said(1), ran())).toEqual([text("b")]);
    expect(acts(user("!say a"), said(), steer("!say b"))).toEqual([text("b")]);
    expect(acts(script, said(0), ran(), steer("!bash 3"), user("!say next"))).toEqual([text("next")]);
  });

  it("leaves a step out for which there is no tool, and keeps its place when the tools change", () => {
    const script = user("!read a\n!bash 1\n!bash 2");
    expect(acts(script)).toEqual([text("The engine offers no tool for !read: the step is left out."), bash("1")]);
    expect(acts(script, said(), ran())).toEqual([bash("2")]);
    const none = new Replay({ events: [user("!bash 1\n!say a"), said(0), ran()], tools: [], system: "" }, compile);
    expect(none.plan().acts).toEqual([text("a")]);
  });

  it("survives that its own message is dropped for a summary", () => {
    const script = user("!bash 1\n!write x </offline-script>\n!bash 2");
    const saved = replay(script, said(0), ran()).save();
    expect(saved).not.toBe("");
    const summary: ConversationEvent = { type: "summary", text: `Summary:\n${saved}\nmore` };
    expect(acts(summary).at(-1)).toEqual(bash("2"));
    expect(acts(summary, said(1), ran())).toEqual([text("Done: the offline script is finished, 2 steps ran.")]);
    expect(acts(summary, user("!say new"))).toEqual([text("new")]);
    expect(replay(user("!say a"), said()).save()).toBe("");
    for (const broken of ["", "<offline-script>{}</offline-script>", "<offline-script>{"]) {
      expect(acts({ type: "summary", text: broken })).toEqual([text("The offline model has no script to run here.")]);
    }
  });

  it("runs every step once and in order, whatever is lost, steered or compacted on the way", () => {
    const step = fc.constantFrom("say", "bash", "think", "bash");
    const chance = fc.record({ lost: fc.boolean(), compact: fc.boolean(), steer: fc.integer({ min: 0, max: 5 }) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), fc.infiniteStream(chance), (kinds, chances) => {
        const script = kinds.map((kind, index) => `!${kind} ${index}`).join("\n");
        const wanted = kinds.flatMap((kind, index) => (kind === "bash" ? [String(index)] : []));
        const done: string[] = [];
        let events: ConversationEvent[] = [user(script)];
        for (let turn = 0; turn < 200; turn++) {
          const { lost, compact, steer: steers } = chances.next().value ?? { lost: false, compact: false, steer: 0 };
          if (compact) events = [{ type: "summary", text: replay(...events).save() }];
          const call = acts(...events).find((act) => act.kind === "tool");
          if (!call) break;
          events.push(said(steers % 3));
          if (lost) events.push(ran(true), said(0), { type: "recovery" });
          else {
            done.push(String(call.input.command));
            events.push(ran());
            if (steers === 5 && wanted.length < 20) {
              wanted.push(`s${turn}`);
              events.push(steer(`!bash s${turn}`));
            }
          }
        }
        expect(done).toEqual(wanted);
      }),
    );
  });
});
