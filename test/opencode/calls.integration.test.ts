import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  at,
  contextsOf,
  eventsOf,
  newDatabase,
  newFolder,
  openHistories,
  TENANT,
  text,
  tool,
} from "./support/databases.js";

describe("A session of OpenCode", () => {
  it.each([
    ["from a message on", (message: string) => ({ messageID: message }), [1, 4]],
    ["from a part on", (message: string, part: string) => ({ messageID: message, partID: part }), [2, 4]],
    ["from a missing message on", () => ({ messageID: "gone" }), undefined],
  ])("removes what was taken back %s after its calls, which had it", async (_, revertOf, removed) => {
    const { folder, history } = newDatabase();
    history.session("ses_1");
    history.prompt("ses_1", 1, "One.");
    const first = history.answer("ses_1", 2, [text("Yes.")]);
    const part = history.part("ses_1", first, 9, text("And more."));
    history.prompt("ses_1", 20, "Two.");
    history.answer("ses_1", 21, [text("No.")]);
    history.database.run("UPDATE session SET revert = ?", [JSON.stringify(revertOf(first, part))]);
    const contexts = await contextsOf(folder, "ses_1");
    expect(contexts.map((messages) => messages.map(({ index }) => index))).toEqual([[0], [0, 1, 2]]);
    const { outline } = await (await openHistories(folder).openSession!(TENANT, "ses_1"))!.messages();
    const removals = removed === undefined ? [] : [{ cause: "rewind", messages: [removed], at: 4 }];
    expect(outline?.removals).toMatchObject(removals);
  });

  it("in files is taken back as in a database", async () => {
    const folder = newFolder();
    const write = (file: string, value: object) => {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), JSON.stringify(value));
    };
    const id = "ses_1";
    const info = { id, directory: "/srv/shop", time: { created: at(0), updated: at(9) } };
    write("storage/session/p/ses_1.json", { ...info, revert: { messageID: "m2" } });
    for (const [i, name] of ["m1", "m2"].entries()) {
      write(`storage/message/ses_1/${name}.json`, { id: name, role: "user", time: { created: at(i) } });
      write(`storage/part/${name}/p1.json`, text(name));
    }
    expect(await eventsOf(folder, id, "opencode.rewind")).toMatchObject([{ droppedMessages: 1 }]);
  });

  it("starts and ends each tool at the time of its part, and ends none before it starts", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1");
    history.prompt("ses_1", 1, "Count.");
    const time = (start?: number, end?: number) => ({ time: { start, end } });
    history.answer("ses_1", 2, [
      tool("early", 3),
      { ...text("Counting."), time: { start: at(4), end: at(8) } },
      tool("late", 9),
      tool("backwards", 0, time(at(7), at(6))),
      tool("unstarted", 0, time(undefined, at(5))),
      tool("unended", 0, { ...time(at(6)), status: "error", error: "No" }),
    ]);
    const envelopes = await openHistories(folder).loadTraceEnvelopes(TENANT, "ses_1");
    const times = (type: string) =>
      envelopes
        .filter(({ event }) => event.type === type)
        .map(({ event, timestamp }) => [event.toolCallId, (Date.parse(timestamp) - at(0)) / 1_000]);
    expect(times("tool.start")).toEqual([
      ["early", 3],
      ["late", 9],
      ["backwards", 7],
      ["unstarted", 5],
      ["unended", 6],
    ]);
    expect(times("tool.end")).toEqual([
      ["early", 4],
      ["late", 10],
      ["backwards", 7],
      ["unstarted", 5],
      ["unended", 9],
    ]);
  });

  it("has no recorded cost where a call with tokens stores 0", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1");
    history.prompt("ses_1", 1, "One.");
    history.answer("ses_1", 2, [text("Yes.")], { cost: 0 });
    const [item] = await openHistories(folder).listSessions();
    expect(item!.usageByModel).toEqual([expect.not.objectContaining({ recordedUsd: expect.anything() })]);
    expect(await eventsOf(folder, "ses_1", "llm.end")).toEqual([
      expect.not.objectContaining({ costUSD: expect.anything() }),
    ]);
  });
});
