import { expect, it } from "vitest";
import { createInMemoryInspectorDataSource, DEFAULT_KINDS, SearchRecords } from "../../src/advanced.js";
import { lift } from "../../src/application/sources/lift.js";
import { handMadeSnapshot, handMadeSource } from "../support/hand-made-source.js";
import { inspectJson } from "../support/read-list.js";
import { fiveMethods } from "../support/sources.js";

it("lifts a source once, and nothing that is none", () => {
  const source = handMadeSource({});
  expect(lift(source)).toBe(lift(source));
  expect(lift({ ...source })).not.toBe(lift(source));
  for (const none of [undefined, null, {}, { ...source, loadMessages: undefined }]) {
    expect(() => lift(none as never)).toThrow(TypeError);
  }
});

it("asks the members that a source has when it is asked, replaced ones too", async () => {
  const source = createInMemoryInspectorDataSource([{ sessionId: "s1" }]);
  const lifted = lift(source);
  expect(await lifted.openSession("default", "s1")).toBeDefined();
  expect(lifted.capabilities).toStrictEqual({
    surveys: false,
    searchesRecords: false,
    knowsRevision: false,
    concurrentReads: Number.POSITIVE_INFINITY,
  });
  const snapshot = handMadeSnapshot({ revision: "of the embedder" });
  Object.assign(source, { openSession: async () => snapshot, revision: async () => "7" });
  expect(await lifted.openSession("default", "s1")).toMatchObject({ revision: "of the embedder" });
  expect(await lifted.revision()).toBe("7");
  expect(lifted.capabilities).toMatchObject({ knowsRevision: true });
});

it("makes the list of a source that does not search once for an answer", async () => {
  const sessions = Array.from({ length: 100 }, (_, i) => ({
    sessionId: `s${i}`,
    messages: [{ content: "said" }],
  }));
  const source = fiveMethods(createInMemoryInspectorDataSource(sessions));
  let lists = 0;
  const counting = handMadeSource({
    ...source,
    listSessions() {
      lists++;
      return source.listSessions();
    },
  });
  const query = { kind: "text", text: "said", isExact: false } as const;
  const search = new SearchRecords(counting, undefined, { budgetMs: 60_000 });
  const { hits } = await search.execute({ query, kinds: DEFAULT_KINDS, limit: 1_000 });
  expect([hits.length, lists]).toEqual([100, 1]);
});

it("serves each session with the seven members that every session has, in the order of the list", async () => {
  const none = { tenantId: "default", userId: "", turns: 0, tokens: 0, status: "idle" };
  const list = [
    { sessionId: "of 1970" },
    { sessionId: "of today", lastActive: new Date(1e12), usage: { outputTokens: 3 } },
  ];
  const source = fiveMethods(handMadeSource({ listSessions: async () => list as never }));
  const { sessions } = await inspectJson<{ sessions: object[] }>(source, "/sessions");
  expect(sessions).toMatchObject([
    { ...none, sessionId: "of today", lastActive: "2001-09-09T01:46:40.000Z", tokens: 3 },
    { ...none, sessionId: "of 1970", lastActive: "1970-01-01T00:00:00.000Z" },
  ]);
});
