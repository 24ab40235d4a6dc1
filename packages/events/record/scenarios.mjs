import { setTimeout } from "node:timers/promises";

/** What is recorded: options of the session, and what happens in it. Messages are scripts of the offline model. */
export const SCENARIOS = {
  "text-and-thinking": {
    run: async (session) => {
      await session.turn("!think first I think\n!say A first answer.\n!stream 4 12 20");
      await session.turn("!say A second answer,\n!say in two lines.");
    },
  },
  "without-partials": {
    body: { options: { includePartials: false }, permissionMode: "auto" },
    run: async (session) => {
      await session.turn("!think no pieces here\n!say One moment.\n!bash printf done\n!say That was it.");
    },
  },
  tools: {
    body: { permissionMode: "auto" },
    run: async (session) => {
      await session.turn(
        [
          "!say I make a file.",
          "!write notes.txt alpha\\nbeta\\n",
          "!read notes.txt",
          "!edit notes.txt beta => gamma",
          "!write notes.txt alpha\\ndelta\\n",
          "!bash wc -l notes.txt && echo problem >&2",
          "!say Finished.",
        ].join("\n"),
      );
    },
  },
  "failing-tools": {
    body: { permissionMode: "auto" },
    run: async (session) => {
      await session.turn(
        '!read missing.txt\n!bash ls missing-folder\n!edit missing.txt a => b\n!tool NoSuchTool {"a":1}\n!tool Write {"path":7}\n!say None of it worked.',
      );
    },
  },
  permissions: {
    body: { permissionMode: "ask_all" },
    run: async (session) => {
      await session.send("!write kept.txt kept\n!bash touch denied.txt\n!bash echo as asked\n!say Over.");
      await session.answer({ decision: "allow" });
      await session.request();
      await session.reconnect();
      await session.answer({ decision: "deny", reason: "Not that one." });
      await session.request();
      await session.answer({ decision: "modify", input: { command: "echo as changed" } });
      await session.until(() => session.events.some(({ type }) => type === "ca_turn_ended"));
    },
  },
  "refused-by-policy": {
    body: { permissionMode: "deny" },
    run: async (session) => {
      await session.turn("!write refused.txt no\n!say It was refused.");
    },
  },
  interrupts: {
    body: { permissionMode: "auto" },
    run: async (session) => {
      await session.send("!say Counting.\n!stream 500 16 40");
      await session.until(() => session.events.filter(isDelta).length > 6);
      await session.interrupt();
      await session.send("!bash echo begun; sleep 25");
      await session.until(() => session.events.some(isToolUse));
      await setTimeout(2000);
      await session.interrupt();
      await session.turn("!say Still here.");
    },
  },
  "cancelled-request": {
    body: { permissionMode: "ask_all" },
    run: async (session) => {
      await session.send("!bash touch never.txt");
      await session.request();
      await session.interrupt();
      await session.until(() => session.events.some(({ type }) => type === "ca_turn_ended"));
    },
  },
  "api-errors": {
    run: async (session) => {
      await session.turn("!say Before the error.\n!error 401");
      await session.turn("!error 429");
      await session.turn("!say Fine again.");
    },
  },
  "sub-agent": {
    body: { permissionMode: "auto" },
    run: async (session) => {
      const prompt = "!say I look.\n!write found.txt by the sub-agent\n!say I found it.";
      const input = { description: "Look around", subagent_type: "general-purpose", prompt, run_in_background: false };
      await session.turn(`!say I ask another agent.\n!tool Agent ${JSON.stringify(input)}\n!say It found it.`);
    },
  },
  limits: {
    body: { permissionMode: "auto", limits: { maxTurns: 2 } },
    run: async (session) => {
      await session.turn("!bash echo one\n!bash echo two\n!bash echo three\n!say Never said.");
    },
  },
  steered: {
    body: { permissionMode: "auto" },
    run: async (session) => {
      await session.send("!bash sleep 2\n!say First part.");
      await session.until(() => session.events.some(isToolUse));
      await session.send("!say Second part.", "steer");
      await session.send("!say A queued turn.");
      await session.until(() => session.events.filter(({ type }) => type === "ca_turn_ended").length === 2);
    },
  },
};

const isDelta = ({ data }) => data.type === "stream_event" && data.event.delta?.type === "text_delta";
const isToolUse = ({ data }) => data.type === "assistant" && data.message.content[0]?.type === "tool_use";

/** Recorded without a host: plans, for whose tools the program itself must be told. */
export const DIRECT = {
  "plan-as-list": {
    env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1", CLAUDE_CODE_ENABLE_TASKS: "0" },
    script: [
      todoWrite(["completed", "in_progress", "pending"]),
      todoWrite(["completed", "completed", "in_progress"]),
      "!say Planned.",
    ],
  },
  "plan-as-tasks": {
    env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1" },
    script: [
      '!tool TaskCreate {"subject":"Measure","description":"Measure it","activeForm":"Measuring"}',
      '!tool TaskCreate {"subject":"Report","description":"Report it"}',
      '!tool TaskUpdate {"taskId":"1","status":"in_progress"}',
      '!tool TaskUpdate {"taskId":"2","subject":"Report briefly"}',
      '!tool TaskUpdate {"taskId":"9","status":"completed"}',
      "!tool TaskList {}",
      '!tool TaskUpdate {"taskId":"1","status":"completed"}',
      '!tool TaskUpdate {"taskId":"2","status":"deleted"}',
      "!say Planned.",
    ],
  },
};

function todoWrite(states) {
  const steps = [
    ["Read it", "Reading"],
    ["Write it", "Writing"],
    ["Test it", "Testing"],
  ];
  const todos = states.map((status, i) => ({ content: steps[i][0], status, activeForm: steps[i][1] }));
  return `!tool TodoWrite ${JSON.stringify({ todos })}`;
}
