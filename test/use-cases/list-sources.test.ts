import { describe, expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import type { SourceSurvey } from "../../src/application/ports/source-survey.js";
import { combineDataSources, type InspectorDataSource } from "../../src/index.js";
import { handMadeSource } from "../support/hand-made-source.js";
import { listSources } from "../support/list-sources.js";
import { schemaNamed } from "../support/openapi.js";
import { fiveMethods } from "../support/sources.js";

const NOON = Date.UTC(2026, 0, 15, 12);

const memory = (...tenants: readonly string[]) =>
  createInMemoryInspectorDataSource(
    tenants.map((tenantId, i) => ({ tenantId, sessionId: `s${i}`, createdAt: NOON + i * 1_000 })),
  );

async function reports(source: InspectorDataSource, tenants: "all" | readonly string[] = "all") {
  const answer = await listSources(source, { tenants });
  const validate = schemaNamed("SourceList");
  expect([validate(JSON.parse(JSON.stringify(answer))), validate.errors]).toEqual([true, null]);
  return answer.sources;
}

const surveyed = (survey: Partial<SourceSurvey>) =>
  handMadeSource({ surveySources: async () => [{ tenants: [], ...survey }] });

describe("the sources", () => {
  it("are counted by their lists where they cannot tell more", async () => {
    const expected = { sessions: 3, unread: 0, isComplete: true, versions: [], goneCount: 0 };
    for (const source of [memory("a", "a", "b"), fiveMethods(memory("a", "a", "b"))]) {
      const [report, ...others] = await reports(source);
      expect(report).toMatchObject({
        ...expected,
        oldest: "2026-01-15T12:00:00.000Z",
        newest: "2026-01-15T12:00:02.000Z",
      });
      expect(report).not.toHaveProperty("files");
      expect(report).not.toHaveProperty("retention");
      expect(others).toEqual([]);
    }
  });

  it("are asked for what is due alone without a look at their lists, and those whose tool deletes nothing are left out", async () => {
    let lists = 0;
    const counting = handMadeSource({
      listSessions: async () => {
        lists++;
        return [];
      },
    });
    const deletes = surveyed({ name: "Claude Code", retention: { rule: "deletes", days: 30 } });
    const keeps = surveyed({ name: "Codex", retention: { rule: "keeps" } });
    const all = combineDataSources(
      [counting, memory("a"), deletes, keeps].map((source, i) => ({ key: `k${i}`, name: `n${i}`, source })),
    );
    const { sources } = await listSources(all, { only: "due" });
    expect(sources.map(({ key }) => key)).toEqual(["k2"]);
    expect(lists).toBe(0);
    await listSources(all);
    expect(lists).toBe(1);
  });

  it("are added up over their tenants, with the newest version and the most frequent type first", async () => {
    const source = surveyed({
      verified: "2.0.9",
      tenants: [
        {
          tenantId: "a",
          sessions: 2,
          files: 3,
          bytes: 10,
          versions: [
            { version: "2.0.10", sessions: 1 },
            { version: "2.0.9", sessions: 2 },
          ],
          unknownRecords: [{ type: "x", records: 1, sessions: 1, sessionId: "s1" }],
        },
        {
          tenantId: "b",
          sessions: 1,
          unread: 1,
          files: 1,
          bytes: 5,
          versions: [
            { version: "2.0.9", sessions: 1 },
            { version: "2.0.9-rc1", sessions: 1 },
          ],
          unknownRecords: [
            { type: "y", records: 3, sessions: 1, sessionId: "s2" },
            { type: "x", records: 1, sessions: 1, sessionId: "s2" },
          ],
        },
      ],
    });
    const [report] = await reports(source);
    expect(report).toMatchObject({ sessions: 3, unread: 1, isComplete: false, files: 4, bytes: 15 });
    expect(report!.versions).toEqual([
      { version: "2.0.10", sessions: 1, isNewer: true },
      { version: "2.0.9", sessions: 3, isNewer: false },
      { version: "2.0.9-rc1", sessions: 1, isNewer: false },
    ]);
    expect(report!.unknownRecords).toEqual([
      { type: "y", records: 3, sessions: 1, example: { tenantId: "b", sessionId: "s2" } },
      { type: "x", records: 2, sessions: 2, example: { tenantId: "a", sessionId: "s1" } },
    ]);
    expect(report!.unknownRecordCount).toBe(5);
  });

  it("have lists of a bounded length, beside how many there are", async () => {
    const gone = Array.from({ length: 500 }, (_, i) => ({
      sessionId: `s${i}`,
      namedIn: "history.jsonl",
      lastActive: new Date(NOON + i).toISOString(),
    }));
    const problems = Array.from({ length: 500 }, (_, i) => ({ reason: `reason ${i}`, count: 1 }));
    const versions = Array.from({ length: 500 }, (_, i) => ({ version: `1.${i}`, sessions: 1 }));
    const [report] = await reports(
      surveyed({ gone, problems, tenants: [{ tenantId: "a", sessions: 1, versions }] }),
    );
    expect(report).toMatchObject({ goneCount: 500, problemCount: 500 });
    expect(report!.gone.length).toBe(100);
    expect(report!.gone[0]!.sessionId).toBe("s499");
    expect(report!.problems.length).toBe(50);
    expect(report!.versions.length).toBe(50);
    expect(report!.versions[0]!.version).toBe("1.499");
  });

  it("give what is due of all tenants together, where something is deleted", async () => {
    const retention = { rule: "deletes", days: 30, statedIn: "the default" } as const;
    const due = (sessions: number, first: string) => ({ sessions, bytes: 10 * sessions, first });
    const [report] = await reports(
      surveyed({
        retention,
        dueWithinDays: 7,
        tenants: [
          { tenantId: "a", sessions: 3, due: due(2, "2026-01-02T00:00:00.000Z") },
          { tenantId: "b", sessions: 3, due: due(1, "2026-01-01T00:00:00.000Z") },
          { tenantId: "c", sessions: 3, due: { sessions: 0, bytes: 0 } },
        ],
      }),
    );
    expect(report!.retention).toEqual({
      ...retention,
      due: { withinDays: 7, sessions: 3, bytes: 30, first: "2026-01-01T00:00:00.000Z" },
    });
    const [keeping] = await reports(surveyed({ retention: { rule: "keeps" } }));
    expect(keeping!.retention).toEqual({ rule: "keeps" });
  });

  it("fail with what is no survey", async () => {
    for (const none of [undefined, {}, [{}], [{ tenants: [{}] }], [{ tenants: [{ tenantId: "a" }] }]]) {
      const source = handMadeSource({ surveySources: async () => none as never });
      await expect(listSources(source)).rejects.toThrow("gives no surveys");
    }
  });
});

describe("a scope", () => {
  const survey: SourceSurvey = {
    name: "Claude Code",
    path: "/home/ada/.claude/projects",
    problems: [{ reason: "of theirs", count: 1, file: "theirs" }],
    gone: [{ sessionId: "theirs", namedIn: "history.jsonl" }],
    retention: { rule: "deletes", days: 30 },
    dueWithinDays: 7,
    tenants: [
      { tenantId: "mine", sessions: 1, due: { sessions: 1, bytes: 5 } },
      {
        tenantId: "theirs",
        sessions: 8,
        versions: [{ version: "theirs", sessions: 1 }],
        problems: [{ reason: "of theirs", count: 1 }],
        gone: [{ sessionId: "theirs", tenantId: "theirs", namedIn: "history.jsonl" }],
        due: { sessions: 4, bytes: 50 },
      },
    ],
  };

  it("shows figures of its tenants alone, and no path, also of a source that passes over it", async () => {
    const [report] = await reports(surveyed(survey), ["mine"]);
    expect(report).toMatchObject({ sessions: 1, retention: { due: { sessions: 1, bytes: 5 } } });
    expect(report).not.toHaveProperty("path");
    expect(JSON.stringify(report)).not.toContain("theirs");
    const [all] = await reports(surveyed(survey));
    expect(all).toMatchObject({ sessions: 9, path: "/home/ada/.claude/projects" });
  });

  it("does not show a source without a session of its tenants", async () => {
    expect(await reports(surveyed(survey), ["nobody"])).toEqual([]);
    expect(await reports(surveyed(survey), [])).toEqual([]);
    expect(await reports(memory("a"), ["b"])).toEqual([]);
    const both = combineDataSources([
      { key: "one", source: memory("a", "b") },
      { key: "two", source: memory("b") },
    ]);
    const seen = await reports(both, ["one:a"]);
    expect(seen.map(({ key, sessions }) => [key, sessions])).toEqual([["one", 1]]);
  });

  it("asks a source for its tenants alone", async () => {
    const asked: unknown[] = [];
    const source = handMadeSource({
      surveySources: async (request) => {
        asked.push(request.tenants);
        return [];
      },
    });
    await reports(source, ["mine"]);
    await reports(source);
    expect(asked).toEqual([["mine"], undefined]);
  });
});

describe("several sources", () => {
  it("are told apart, with their tenants as the list calls them", async () => {
    const source = surveyed({
      name: "Claude Code",
      path: "/p",
      gone: [{ sessionId: "g", tenantId: "t", namedIn: "history.jsonl" }],
      tenants: [
        {
          tenantId: "t",
          sessions: 1,
          unknownRecords: [{ type: "x", records: 1, sessions: 1, sessionId: "s" }],
          problems: [{ reason: "r", count: 1, session: { tenantId: "t", sessionId: "s" } }],
        },
      ],
    });
    const [first, second] = await reports(
      combineDataSources([
        { key: "a", name: "First", source },
        { key: "b", name: "Second", source: memory("t") },
      ]),
    );
    expect(first).toMatchObject({
      key: "a",
      name: "First",
      path: "/p",
      unknownRecords: [{ example: { tenantId: "a:t", sessionId: "s" } }],
      problems: [{ session: { tenantId: "a:t", sessionId: "s" } }],
      gone: [{ tenantId: "a:t", sessionId: "g" }],
    });
    expect(second).toMatchObject({ key: "b", name: "Second", sessions: 1 });
  });

  it("are shown where one of them fails, which says why and has no figures", async () => {
    const failing = handMadeSource({
      surveySources: async () => {
        throw new Error("secret");
      },
    });
    const told: unknown[] = [];
    const source = combineDataSources(
      [
        { key: "a", source: failing },
        { key: "b", source: memory("t") },
      ],
      { onError: (error) => told.push(error) },
    );
    const [failed, other] = await reports(source);
    expect(failed).toMatchObject({ key: "a", failure: "a could not be read.", isComplete: false });
    expect(failed).not.toHaveProperty("sessions");
    expect(failed).not.toHaveProperty("bytes");
    expect(other).toMatchObject({ key: "b", sessions: 1, isComplete: true });
    expect(told).toHaveLength(1);
    // In a scope, a source that fails may have nothing of that scope.
    expect(await reports(source, ["b:t"])).toMatchObject([{ key: "b" }]);
  });
});
