/**
 * Records the golden conversations anew, by hand: real Claude Code behind a real host with the offline model.
 *   computeragent serve --no-auth --port 7799 --allow-workspace /tmp/golden
 *   computeragent model serve --port 7798
 *   node packages/events/record/record.mjs http://127.0.0.1:7799 http://127.0.0.1:7798 /tmp/golden [NAME...]
 */
import { mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { recordDirectly } from "./direct.mjs";
import { DIRECT, SCENARIOS } from "./scenarios.mjs";
import { scrub } from "./scrub.mjs";
import { RecordedSession } from "./session.mjs";

const GOLDEN = new URL("../src/golden/", import.meta.url);
const [host, model, folder, ...names] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: record.mjs HOST_URL MODEL_URL FOLDER [NAME...]");
await mkdir(folder, { recursive: true });
const root = await realpath(folder);

for (const name of names.length > 0 ? names : Object.keys({ ...SCENARIOS, ...DIRECT })) {
  const workspace = join(root, name);
  await rm(workspace, { recursive: true, force: true });
  await mkdir(workspace);
  const recorded =
    name in DIRECT
      ? await recordDirectly(DIRECT[name], model, workspace)
      : await recordHosted(SCENARIOS[name], workspace);
  await save(name, scrub(recorded, rootsOf(recorded.events, workspace)));
  process.stdout.write(`${name}: ${recorded.events.length} events\n`);
}
process.exit(0);

async function recordHosted({ body = {}, run }, workspace) {
  const session = await RecordedSession.create(host, {
    engine: "claude-agent-sdk",
    workspace: { type: "local", path: workspace },
    options: { includePartials: true },
    ...body,
  });
  await run(session);
  await session.finish();
  return { messages: session.messages, events: session.events };
}

/** Paths of this machine that show in the events. */
function rootsOf(events, workspace) {
  const text = JSON.stringify(events);
  const homes = [...text.matchAll(/"(\/[^"]*?)\/(?:homes|claude|user|tmp)\b/g)].map(([, path]) => path);
  const dashed = workspace.replaceAll("/", "-");
  return [
    [workspace, "/workspace"],
    [dashed, "-workspace"],
    ...[...new Set(homes)].sort((a, b) => b.length - a.length).map((path) => [path, "/host"]),
  ];
}

async function save(name, { messages, events }) {
  const dir = new URL(`${name}/`, GOLDEN);
  await mkdir(dir, { recursive: true });
  await writeFile(new URL("messages.json", dir), `${JSON.stringify(messages, null, 2)}\n`);
  await writeFile(new URL("events.jsonl", dir), events.map((event) => `${JSON.stringify(event)}\n`).join(""));
}
