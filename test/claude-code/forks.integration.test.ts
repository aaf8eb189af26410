import { appendFile, rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { traceOf } from "../support/snapshots.js";
import {
  assistantRecord,
  at,
  copyOfFixtures,
  FIXTURES,
  lines,
  newProjects,
  openHistories,
  storedIn,
  userRecord,
  uuid,
} from "./support/projects.js";

const ORIGINAL = "11111111-0000-4000-8000-000000000007";
/** Its copied lines have `forkedFrom`. */
const FORKED = "22222222-0000-4000-8000-000000000008";
/** Its copied lines keep the original's `sessionId`. */
const RESUMED = "33333333-0000-4000-8000-000000000009";
/** Only `uuid` and `timestamp` identify its copied lines. */
const REWRITTEN = "44444444-0000-4000-8000-000000000010";

async function countsOf(root: string, tenantId: string): Promise<Record<string, [number, number]>> {
  const items = await openHistories(root).listSessions();
  return Object.fromEntries(
    items
      .filter((item) => item.tenantId === tenantId)
      .map(({ sessionId, turns, tokens }): [string, [number, number]] => [sessionId, [turns, tokens]]),
  );
}

describe("a session that begins with another session's lines", () => {
  it("leaves turns and tokens to the session in which they were first written", async () => {
    expect(await countsOf(FIXTURES, "forks")).toEqual({
      [ORIGINAL]: [2, 112],
      [FORKED]: [1, 4],
      [RESUMED]: [1, 6],
      [REWRITTEN]: [1, 8],
    });
  });

  it.each([FORKED, RESUMED, REWRITTEN])(
    "%s shows its own lines in the trace, and how many are not",
    async (sessionId) => {
      const source = openHistories(FIXTURES);
      const trace = await source.loadTraceEnvelopes("forks", sessionId);
      expect([...new Set(trace.map((envelope) => storedIn(envelope).line))].sort()).toEqual([3, 4]);
      expect(trace.find(({ event }) => event.type === "session.start")!.event.replayed).toBe(2);
      expect((await traceOf(source, "forks", sessionId)).warnings).toEqual([]);
    },
  );

  it("has the whole conversation as its messages, as the model saw it", async () => {
    const messages = await openHistories(FIXTURES).loadMessages("forks", FORKED);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(messages[0]!.content).toBe("Begin.");
  });

  it("owns them where the other session is gone", async () => {
    const root = await copyOfFixtures();
    for (const id of [ORIGINAL, RESUMED, REWRITTEN]) await rm(path.join(root, "forks", `${id}.jsonl`));
    expect(await countsOf(root, "forks")).toEqual({ [FORKED]: [2, 114] });
  });

  it("is not mistaken for the original when the original goes on", async () => {
    const root = await copyOfFixtures();
    const more = lines(userRecord(5_000, 500, "Much later."), assistantRecord(5_001, 501, "msg_late", []));
    await appendFile(path.join(root, "forks", `${ORIGINAL}.jsonl`), more);
    expect(await countsOf(root, "forks")).toEqual({
      [ORIGINAL]: [3, 114],
      [FORKED]: [1, 4],
      [RESUMED]: [1, 6],
      [REWRITTEN]: [1, 8],
    });
  });

  it("counts every line exactly once along a chain of resumptions", async () => {
    const turn = (number: number) => [
      userRecord(number, number, `Prompt ${number}`),
      assistantRecord(number + 1, number + 1, `msg_${number}`, []),
    ];
    const root = await newProjects({
      "p/c.jsonl": lines(...turn(10), ...turn(20), ...turn(30)),
      "p/a.jsonl": lines(...turn(10)),
      "p/b.jsonl": lines(...turn(10), ...turn(20)),
    });
    expect(await countsOf(root, "p")).toEqual({ a: [1, 2], b: [1, 2], c: [1, 2] });
  });

  it("shows how many lines are replayed where it holds no others", async () => {
    const records = [userRecord(1, 0, "One."), assistantRecord(2, 1, "m", [])];
    const root = await newProjects({
      "p/a.jsonl": lines(...records),
      "p/b.jsonl": lines(...records.map((record) => ({ ...record, forkedFrom: { sessionId: "a" } }))),
    });
    const trace = await openHistories(root).loadTraceEnvelopes("p", "b");
    expect(trace.map(({ event }) => event)).toMatchObject([{ type: "session.start", replayed: 2 }]);
    expect(await countsOf(root, "p")).toEqual({ a: [1, 2], b: [0, 0] });
  });

  it("is no fork for sharing nothing but uuids", async () => {
    const root = await newProjects({
      "p/a.jsonl": lines(userRecord(1, 0, "One.")),
      "p/b.jsonl": lines(userRecord(1, 60, "Another.")),
    });
    expect(await countsOf(root, "p")).toEqual({ a: [1, 0], b: [1, 0] });
  });

  it("leaves to the original what a copy begins with from its last compaction on", async () => {
    const summary = userRecord(4, 4, "All summed up.", { isCompactSummary: true, parentUuid: uuid(3) });
    const boundary = {
      ...{ type: "system", subtype: "compact_boundary", uuid: uuid(3), timestamp: at(3) },
      ...{ parentUuid: null, logicalParentUuid: uuid(2) },
    };
    const since = [boundary, summary, userRecord(5, 5, "On."), assistantRecord(6, 6, "m2", [])];
    const own = [userRecord(7, 7, "In a copy."), assistantRecord(8, 8, "m3", [])];
    const ofSession = (sessionId: string, records: readonly object[]) =>
      lines(...records.map((record) => ({ ...record, sessionId })));
    const begun = [userRecord(1, 1, "Go."), assistantRecord(2, 2, "m1", [])];
    const root = await newProjects({
      "p/a.jsonl": ofSession("a", [...begun, ...since]),
      "p/b.jsonl": ofSession("b", [...since, ...own]),
      "p/c.jsonl": ofSession("c", [...since, ...own.map((record) => ({ ...record, uuid: uuid(9) }))]),
      "p/d.jsonl": ofSession("d", [userRecord(10, 0, "Something else.")]),
    });
    const counts = await countsOf(root, "p");
    expect(counts).toMatchObject({ a: [2, 4], b: [1, 2], d: [1, 0] });
    const trace = await openHistories(root).loadTraceEnvelopes("p", "b");
    expect(trace.find(({ event }) => event.type === "session.start")!.event.replayed).toBe(4);
    expect(await openHistories(root).loadMessages("p", "b")).toHaveLength(5);
  });

  it("leaves sessions of other projects alone", async () => {
    const same = lines(userRecord(1, 0, "The same."));
    const root = await newProjects({ "p/a.jsonl": same, "q/b.jsonl": same });
    expect({ ...(await countsOf(root, "p")), ...(await countsOf(root, "q")) }).toEqual({
      a: [1, 0],
      b: [1, 0],
    });
  });
});
