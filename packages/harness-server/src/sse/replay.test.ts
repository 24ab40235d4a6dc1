import { collectUntil, jsonOf, openStream, readEvents, type SseFrame } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { boot, type Rig } from "../rig.test-support.ts";

const ids = (frames: readonly SseFrame[]) => frames.flatMap(({ id }) => (id === null ? [] : [id]));
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

async function finished(rig: Rig, content: string): Promise<{ id: string; head: number }> {
  const { sessionId: id } = await rig.create({ messages: [{ role: "user", content }] });
  await rig.request("POST", `/v1/sessions/${id}/end-input`);
  await (await rig.events(id)).ended;
  return { id, head: (await rig.info(id)).headId ?? -1 };
}

describe("replay", () => {
  it("goes on after the last id exactly once, while the engine keeps emitting", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const url = `${rig.url}/v1/sessions/${sessionId}/events`;
    await rig.say(sessionId, "!stream 3000 80 0");
    const seen: number[] = [];
    let after: number | undefined;
    for (const cut of [10, 500, 2000]) {
      const stream = readEvents(url, after === undefined ? {} : { after });
      const part = await collectUntil(stream, ({ id }) => id === cut);
      await stream.return(undefined);
      seen.push(...ids(part));
      after = cut;
    }
    const rest = await rig.events(sessionId, after);
    await rest.waitFor("ca_turn_ended");
    seen.push(...ids(rest.events()));
    expect(seen).toEqual(range(0, seen.length - 1));
    expect(seen.length).toBeGreaterThan(3000);
  });

  it("gives several readers the same frames, also when they come late", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const early = await Promise.all(Array.from({ length: 8 }, () => rig.events(sessionId)));
    await rig.say(sessionId, "!stream 3000 80 0");
    const late = await rig.events(sessionId);
    await rig.request("POST", `/v1/sessions/${sessionId}/end-input`);
    const all = [...early, late];
    await Promise.all(all.map((stream) => stream.ended));
    const [one, ...others] = all.map((stream) => stream.events().map(({ id, event, data }) => [id, event, data]));
    for (const other of others) expect(other).toEqual(one);
    expect(one?.length).toBeGreaterThan(3000);
  });

  it("ends after the last event of an ended session, and has nothing for who has it all", async () => {
    const rig = await boot();
    const { id, head } = await finished(rig, "!say hi");
    const path = `/v1/sessions/${id}/events`;
    const again = await rig.events(id);
    await again.ended;
    expect(ids(again.frames)).toEqual(range(0, head));
    const last = await rig.events(id, head - 1);
    await last.ended;
    expect(last.events().map((e) => e.event)).toEqual(["ca_session_ended"]);
    expect((await rig.request("GET", `${path}?after=${head}`)).status).toBe(204);
    expect((await rig.request("GET", path, undefined, { "last-event-id": String(head) })).status).toBe(204);
    expect(
      (await rig.request("GET", `${path}?after=${head - 1}`, undefined, { "last-event-id": `${head}` })).status,
    ).toBe(204);
  });

  it("says so when a cursor is beyond the head, and sends everything", async () => {
    const rig = await boot();
    const { id, head } = await finished(rig, "!say hi");
    const stream = await rig.events(id, head + 5);
    await stream.ended;
    expect(stream.frames[0]).toMatchObject({ id: null, event: "ca_replay_gap" });
    expect(jsonOf(await stream.waitFor("ca_replay_gap"))).toEqual({ requestedId: head + 5, oldestId: 0, headId: head });
    expect(ids(stream.frames)).toEqual(range(0, head));
  });

  it("says so when old events are gone, with a cursor and without", async () => {
    const rig = await boot({ limits: { journalMaxEvents: 50 } });
    const { id, head } = await finished(rig, "!stream 1500 20 0");
    const oldest = head - 999;
    const whole = await rig.events(id);
    const old = await rig.events(id, 3);
    const edge = await rig.events(id, oldest - 1);
    await Promise.all([whole.ended, old.ended, edge.ended]);
    expect(jsonOf(await whole.waitFor("ca_replay_gap"))).toEqual({ requestedId: null, oldestId: oldest, headId: head });
    expect(jsonOf(await old.waitFor("ca_replay_gap"))).toEqual({ requestedId: 3, oldestId: oldest, headId: head });
    expect(edge.frames[0]?.id).toBe(oldest);
    for (const stream of [whole, old, edge]) {
      expect(ids(stream.frames)).toEqual(range(oldest, head));
      expect(stream.frames.filter(({ event }) => event === "ca_replay_gap").length).toBeLessThan(2);
    }
  });

  it.each(["abc", "-2", "1.5", "0x10", "1e3", "99999999999999999999"])("refuses the cursor %s", async (cursor) => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const path = `/v1/sessions/${sessionId}/events`;
    const byQuery = await rig.request("GET", `${path}?after=${cursor}`);
    const byHeader = await rig.request("GET", path, undefined, { "last-event-id": cursor });
    expect([byQuery.body.code, byHeader.body.code]).toEqual(["VALIDATION", "VALIDATION"]);
  });

  it("reads an empty cursor as none, and the header before the query", async () => {
    const rig = await boot();
    const { id, head } = await finished(rig, "!say hi");
    for (const stream of [
      await rig.events(id, -1),
      await openStream(`${rig.url}/v1/sessions/${id}/events?after=`),
      await rig.events(id, undefined, { "last-event-id": "" }),
    ]) {
      await stream.ended;
      expect(ids(stream.frames)).toEqual(range(0, head));
    }
    const header = await rig.events(id, 0, { "last-event-id": "2" });
    await header.ended;
    expect(header.frames[0]?.id).toBe(3);
  });

  it("uses the cursor of another session for nothing but its number", async () => {
    const rig = await boot();
    const long = await finished(rig, "!stream 50 20 0");
    const short = await finished(rig, "!say only mine");
    const stream = await rig.events(short.id, long.head);
    await stream.ended;
    expect(stream.frames[0]?.event).toBe("ca_replay_gap");
    expect(
      stream
        .events()
        .map((e) => e.data)
        .join(""),
    ).toContain("only mine");
    expect(
      stream
        .events()
        .map((e) => e.data)
        .join(""),
    ).not.toContain("quick brown fox");
  });

  it("answers HEAD without following", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const head = await rig.request("HEAD", `/v1/sessions/${sessionId}/events`);
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
    expect((await rig.info(sessionId)).readers).toBe(0);
  });
});
