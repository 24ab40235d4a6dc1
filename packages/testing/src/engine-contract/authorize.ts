import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject, ToolCall } from "@computeragent/protocol";
import type { ContractCase } from "../contract/contract-case.ts";
import type { Can, EngineCase } from "./engine-case.ts";

/** Cases of permission: nothing happens before it was allowed. */
export function authorizeCases(on: EngineCase, can: Can): ContractCase[] {
  const cases = [
    on("authorize.first", "asks before every tool call, once, under an id of its own", async ({ open }) => {
      const early: string[] = [];
      const asked = new Map<string, ToolCall>();
      const bed = await open({
        authorize: async (call) => {
          asked.set(call.callId, call);
          await new Promise((resolve) => setTimeout(resolve, 50));
          const last = `f${asked.size}.txt`;
          if (existsSync(join(bed.context.workspace, last))) early.push(last);
          return { behavior: "allow", input: call.input };
        },
      });
      await bed.turnEnd(bed.send("!write f1.txt x\n!bash echo y > f2.txt\n!write f3.txt z"));
      assert.deepEqual(early, []);
      assert.equal(asked.size, 3);
      for (const name of ["f1.txt", "f2.txt", "f3.txt"]) assert.ok(existsSync(join(bed.context.workspace, name)), name);
    }),
    on("authorize.deny", "does not run what is denied, tells the agent why and goes on", async ({ open }) => {
      const bed = await open({
        authorize: (call) =>
          JSON.stringify(call.input).includes("forbidden.txt")
            ? { behavior: "deny", message: "not-this-file" }
            : { behavior: "allow", input: call.input },
      });
      const end = await bed.turnEnd(bed.send("!bash echo x > forbidden.txt\n!bash echo y > fine.txt"));
      assert.equal(end.reason, "complete");
      assert.ok(!existsSync(join(bed.context.workspace, "forbidden.txt")));
      assert.ok(existsSync(join(bed.context.workspace, "fine.txt")));
      assert.ok(JSON.stringify(bed.events).includes("not-this-file"), "the reason did not reach the agent");
    }),
  ];
  if (!can("modify")) return cases;
  return [
    ...cases,
    on("authorize.modify", "runs a tool with the input that the answer gives", async ({ open }) => {
      const bed = await open({
        authorize: (call) => ({
          behavior: "allow",
          input: JSON.parse(JSON.stringify(call.input).replaceAll("ORIGINAL", "CHANGED")) as JsonObject,
        }),
      });
      await bed.turnEnd(bed.send("!bash echo ORIGINAL > out.txt"));
      assert.equal((await readFile(join(bed.context.workspace, "out.txt"), "utf8")).trim(), "CHANGED");
    }),
  ];
}
