import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { NAMED_SCHEMAS } from "./emit/schema-source.ts";
import {
  CONTROL_SCHEMAS,
  ERROR_CODES,
  EVENT_SCHEMAS,
  PROTOCOL_VERSION,
  parseEvent,
  ROUTES,
  WATCH_SCHEMAS,
} from "./index.ts";

const PAGE = join(dirname(fileURLToPath(import.meta.url)), "../../../docs/protocol.md");
/** The page, without the blanks that align its tables. */
const page = existsSync(PAGE) ? readFileSync(PAGE, "utf8").replace(/ {2,}\|/g, " |") : "";
const blocks = [...page.matchAll(/^```(\S+)(?: schema=(\w+))?\n([\s\S]*?)^```$/gm)].map(([, kind, schema, text]) => ({
  kind: kind ?? "",
  schema: schema ?? "",
  text: text ?? "",
}));
const examples = blocks.filter(({ kind }) => kind === "json");
const frames = blocks.filter(({ kind }) => kind === "sse");

describe("docs/protocol.md", () => {
  it("is of this revision", () => {
    expect(page).toContain(`Revision \`${PROTOCOL_VERSION}\``);
  });

  it.each(Object.values(ROUTES).map(({ method, path }) => `${method} ${path}`))("describes %s", (route) => {
    expect(page).toContain(`### \`${route}\``);
  });

  it.each(Object.entries(ERROR_CODES))("lists %s with its status", (code, { status }) => {
    expect(page).toContain(`| \`${code}\` | ${status} |`);
  });

  it.each([...Object.keys(EVENT_SCHEMAS), ...Object.keys(CONTROL_SCHEMAS), ...Object.keys(WATCH_SCHEMAS)])(
    "describes %s",
    (name) => expect(page).toContain(`\`${name}\``),
  );

  it("shows an example of every numbered event", () => {
    for (const schema of Object.values(EVENT_SCHEMAS)) {
      expect(examples.map((example) => example.schema)).toContain(schema.meta()?.id);
    }
  });

  it.each(examples)("shows a valid $schema", ({ schema, text }) => {
    const result = NAMED_SCHEMAS.get(schema)?.safeParse(JSON.parse(text));
    expect(result?.error?.issues ?? (result ? [] : `no schema ${schema}`)).toEqual([]);
  });

  it.each(frames)("shows valid frames: $text", ({ text }) => {
    const [, id, name = "", data = ""] = /^(?:id: (\d+)\n)?event: (\S+)\ndata: (.*)\n\n$/.exec(text) ?? [];
    if (id !== undefined) return expect(parseEvent(Number(id), name, JSON.parse(data)).success).toBe(true);
    const schema = { ...CONTROL_SCHEMAS, ...WATCH_SCHEMAS }[name as keyof typeof CONTROL_SCHEMAS];
    expect(schema.safeParse(JSON.parse(data)).success).toBe(true);
  });

  it("has a target for every link within the page, and no anchor twice", () => {
    const anchors = [...page.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id]) => id);
    expect(new Set(anchors).size).toBe(anchors.length);
    for (const [, target] of page.matchAll(/\]\(#([^)]+)\)/g)) expect(anchors).toContain(target);
  });
});
