import { describe, expect, it, vi } from "vitest";
import { blocks, Claude, hasClaude, Place } from "./claude.test-support.ts";
import { openSession } from "./session.test-support.ts";

vi.setConfig({ testTimeout: 180_000 });

const SCRIPT = `Please do this:
!say I begin.
!write notes.txt alpha\\nbeta\\n
!read notes.txt
!edit notes.txt beta => gamma
!bash cat notes.txt > copy.txt && echo copied
!say All done.`;

// The two families of models get requests of a different build: with and without system messages in between.
describe.skipIf(!hasClaude).each(["claude-opus-5-5", "claude-haiku-4-5"])(
  "a script in the real Claude Code (%s)",
  (model) => {
    it("writes, reads, edits and runs, and the usage is counted", async () => {
      await using place = await Place.make();
      await using session = await openSession();
      await using claude = await Claude.start(place, session.grant, { model });
      const result = await claude.turn(SCRIPT);
      expect(result).toMatchObject({ subtype: "success", is_error: false, result: "All done." });
      expect(await place.read("notes.txt")).toBe("alpha\ngamma\n");
      expect(await place.read("copy.txt")).toBe("alpha\ngamma\n");
      const names = blocks(claude.messages, "tool_use").map((block) => block.name);
      expect(names).toEqual(["Write", "Read", "Edit", "Bash"]);
      expect(blocks(claude.messages, "tool_result").filter((block) => block.is_error)).toEqual([]);
      expect(session.calls).toHaveLength(5);
      expect(session.calls.every((call) => call.billing === "offline" && call.usage.cost_usd === 0)).toBe(true);
    });

    it("runs a second and third script in the same session, and answers plain words by saying what it is", async () => {
      await using place = await Place.make();
      await using session = await openSession();
      await using claude = await Claude.start(place, session.grant, { model });
      expect((await claude.turn("!bash echo 1 >> log")).result).toBe(
        "Done: the offline script is finished, 1 step ran.",
      );
      const plain = await claude.turn([{ type: "text", text: "How are you?" }]);
      expect(plain.result).toContain("offline model");
      expect(plain.result).toContain("How are you?");
      expect((await claude.turn("!bash echo 2 >> log\n!bash echo 3 >> log\n!say end")).result).toBe("end");
      expect(await place.read("log")).toBe("1\n2\n3\n");
    });

    it("runs a message that is steered into a running tool after the script", async () => {
      await using place = await Place.make();
      await using session = await openSession();
      await using claude = await Claude.start(place, session.grant, { model });
      claude.say("!bash sleep 2; echo 1 >> log\n!bash echo 2 >> log");
      await claude.until((message) => message.type === "assistant");
      claude.say("!bash echo 3 >> log\n!say steered");
      expect((await claude.turn()).result).toBe("steered");
      expect(await place.read("log")).toBe("1\n2\n3\n");
    });

    it("runs all messages that were sent at once, in one turn", async () => {
      await using place = await Place.make();
      await using session = await openSession();
      await using claude = await Claude.start(place, session.grant, { model });
      claude.say("!sleep 1500\n!say first");
      await claude.until((message) => message.type === "system" && message.subtype === "init");
      claude.say([{ type: "text", text: "!bash echo 1 >> log" }]);
      claude.say([{ type: "text", text: "!bash echo 2 >> log\n!say both" }]);
      expect((await claude.turn()).result).toBe("first");
      expect((await claude.turn()).result).toBe("both");
      expect(await place.read("log")).toBe("1\n2\n");
    });

    it("drops the rest of a script that was interrupted, in a tool and in a text", async () => {
      await using place = await Place.make();
      await using session = await openSession();
      await using claude = await Claude.start(place, session.grant, { model });
      claude.say("!bash sleep 20; echo never >> log\n!bash echo never >> log");
      await claude.until((message) => message.type === "assistant");
      await claude.query.interrupt();
      expect((await claude.turn()).subtype).toBe("error_during_execution");
      expect((await claude.turn("!bash echo a >> log\n!say a")).result).toBe("a");
      claude.say("!stream 100000 20 20\n!bash echo never >> log");
      await claude.until((message) => message.type === "system" && message.subtype === "init");
      await claude.query.interrupt();
      await claude.turn();
      expect((await claude.turn("!bash echo b >> log\n!say b")).result).toBe("b");
      expect(await place.read("log")).toBe("a\nb\n");
    });

    it("drops the rest of a script that ran into the turn limit", async () => {
      await using place = await Place.make();
      await using session = await openSession();
      await using claude = await Claude.start(place, session.grant, { model, maxTurns: 2 });
      const first = await claude.turn("!bash echo 1 >> log\n!bash echo 2 >> log\n!bash echo never >> log");
      expect(first.subtype).toBe("error_max_turns");
      expect((await claude.turn("!bash echo 3 >> log\n!say after")).result).toBe("after");
      expect(await place.read("log")).toBe("1\n2\n3\n");
    });
  },
);
