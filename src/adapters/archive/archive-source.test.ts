import { describe, expect, test } from "vitest";
import { linesOf } from "../../../test/support/archive.js";
import { ArchiveError } from "../../application/errors.js";
import { readAllRecords } from "../../application/sources/record-streams.js";
import { openArchive } from "./archive-source.js";

const HEAD = {
  archive: { format: "agent-inspector", version: 1, exportedAt: "", writer: "1.0.0", part: null },
};
const session = (sessionId: string) => ({
  session: { tenantId: "t", sessionId },
  revision: `of ${sessionId}`,
});
const message = (content: string, more: object = {}) => ({ message: { role: "user", content }, ...more });
const envelope = (id: string, more: object = {}) => ({ envelope: { id, sequence: 0 }, ...more });

/** The lines of an archive: texts as they are, of anything else its JSON. */
async function opened(...lines: readonly unknown[]) {
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  const { source, head } = await openArchive(linesOf(texts));
  const { items, warnings } = await source.findSessions!({});
  return { source, head, items, warnings: warnings!.map(({ line, reason }) => `${line} ${reason}`) };
}

async function messagesOf({ source }: Awaited<ReturnType<typeof opened>>, sessionId: string, agent?: string) {
  const stream = await (await source.openSession!("t", sessionId))!.messages(agent);
  const records = await readAllRecords<{ content: string }>(stream);
  return { records: records.map(({ content }) => content), warnings: stream.warnings };
}

test("sessions follow one another, each with its own records and its revision", async () => {
  const archive = await opened(
    HEAD,
    session("a"),
    message("one"),
    message("of a helper", { agent: 'h"1,"agent":"x' }),
    session("b"),
    message("two"),
    { end: { sessions: 2, records: 5 } },
  );
  expect([archive.items.map(({ sessionId }) => sessionId), archive.warnings]).toEqual([["a", "b"], []]);
  expect(await messagesOf(archive, "a")).toEqual({ records: ["one"], warnings: [] });
  expect(await messagesOf(archive, "a", 'h"1,"agent":"x')).toMatchObject({ records: ["of a helper"] });
  expect(await messagesOf(archive, "b")).toMatchObject({ records: ["two"] });
  expect((await archive.source.openSession!("t", "b"))!.revision).toBe("of b");
  expect(await archive.source.openSession!("t", "c")).toBeUndefined();
});

test("a record stays as it was stored, whatever its members are called", async () => {
  const lines = [
    '{"envelope":{"id":"x","shows":3}}',
    '{"envelope":{"id":1.0,"id":2},"shows":0}',
    '{"envelope":{"text":",\\"shows\\":1}"}}',
    '{"shows":0,"envelope":{ "id":"other order" }}',
    '{"envelope":3}',
    '{"envelope":{},"envelope":{"id":"twice"}}',
  ];
  const archive = await opened(HEAD, session("a"), ...lines, message("m"), {
    end: { sessions: 1, records: 8 },
  });
  const trace = await (await archive.source.openSession!("t", "a"))!.trace();
  const texts: string[] = [];
  for await (const batch of trace.read({ from: 0, to: trace.size })) {
    for (let i = 0; i < batch.size; i++)
      texts.push(new TextDecoder().decode(batch.text.subarray(batch.start(i), batch.end(i))));
  }
  expect(texts).toEqual([
    '{"id":"x","shows":3}',
    '{"id":1.0,"id":2}',
    '{"text":",\\"shows\\":1}"}',
    '{"id":"other order"}',
    "3",
    '{"id":"twice"}',
  ]);
  expect([...(await trace.messagesOf!(Uint32Array.of(0, 1, 2, 3, 4, 5)))]).toEqual([-1, 0, -1, 0, -1, -1]);
});

describe("a line that cannot be read", () => {
  test("costs itself alone, and is a warning of the list that it is missing from", async () => {
    const archive = await opened(
      HEAD,
      session("a"),
      message("one"),
      '{"message":{"role":"user","content":"cut',
      "nothing of the kind",
      '{"unknown":{"member":1}}',
      { outline: { calls: [{ callId: 7 }], removals: [] } },
      { state: { agents: 7 } },
      { warning: { file: "log.jsonl", line: 3, reason: "is broken" }, of: "messages" },
      envelope("e"),
      message("two"),
      { end: { sessions: 1, records: 10 } },
    );
    expect(await messagesOf(archive, "a")).toEqual({
      records: ["one", "two"],
      warnings: [
        { file: "archive", line: 4, reason: "is not valid JSON" },
        { file: "archive", line: 7, reason: "is no outline of a conversation" },
        { file: "log.jsonl", line: 3, reason: "is broken" },
      ],
    });
    expect(archive.warnings).toEqual(["5 is not valid JSON", "6 holds no supported record, and is skipped"]);
  });

  test("gives the records of its session to no other one", async () => {
    const archive = await opened(
      HEAD,
      session("a"),
      '{"session":{"tenantId":"t","sess',
      message("of nobody"),
      session("b"),
      session("a"),
      message("of a second one"),
      { end: { sessions: 3, records: 6 } },
    );
    expect(await messagesOf(archive, "a")).toEqual({ records: [], warnings: [] });
    expect(await messagesOf(archive, "b")).toEqual({ records: [], warnings: [] });
    expect(archive.warnings).toEqual([
      "3 is not valid JSON",
      "4 belongs to no session that can be read",
      "6 begins a session that is there already: the second one is skipped",
      "7 belongs to no session that can be read",
      "8 counts other lines or sessions than there are: some were lost, or added",
    ]);
  });

  test("says nothing false of what a session did", async () => {
    const hostile = { tenantId: "t", sessionId: "a", lastActive: {}, facts: { models: [] }, tokens: "9" };
    const { items } = await opened(
      HEAD,
      { session: hostile, revision: 7 },
      { end: { sessions: 1, records: 1 } },
    );
    expect(items).toEqual([expect.objectContaining({ sessionId: "a", tokens: 0, status: "idle" })]);
    expect(items[0]).not.toHaveProperty("facts");
  });
});

test.each([
  ["nothing at all", [], "is empty"],
  ["something else", ['{"type":"user","message":{}}'], "does not begin as an exported session does"],
  [
    "a later version",
    [{ archive: { ...HEAD.archive, version: 2 } }],
    "has the version 2, and this one reads up to 1",
  ],
  ["no end", [HEAD, session("a"), message("one")], "breaks off"],
])("an archive of %s is refused", async (_name, lines, problem) => {
  const opening = opened(...lines);
  await expect(opening).rejects.toThrow(problem);
  await expect(opening).rejects.toBeInstanceOf(ArchiveError);
});
