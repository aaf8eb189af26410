import { describe, expect, it } from "vitest";
import type { InMemorySession } from "../../src/advanced.js";
import type { InspectorSessionItem } from "../../src/index.js";
import { handMadeSource } from "../support/hand-made-source.js";
import { askAllPages, type Inspector, inspect } from "../support/inspector.js";
import { at, epochAt } from "../support/sample.js";
import { SAMPLE_CASES, sampleInspector } from "../support/sample-inspectors.js";

async function idsOf(inspector: Inspector, query: string): Promise<string[]> {
  const { body } = await inspector.ask(`/sessions${query}`);
  return (body.sessions as InspectorSessionItem[]).map(
    (session) => `${session.tenantId}/${session.sessionId}`,
  );
}

function item(sessionId: string, changes: Partial<InspectorSessionItem> = {}): InspectorSessionItem {
  return {
    tenantId: "acme",
    sessionId,
    userId: "",
    lastActive: at(0),
    turns: 0,
    tokens: 0,
    status: "idle",
    ...changes,
  };
}

describe.each(SAMPLE_CASES)("The session list of $name, mounted at $mount", (sample) => {
  const shared = sampleInspector(sample);
  const open = async (sessions: readonly InMemorySession[]) =>
    inspect(await sample.create(sessions), sample.prefix);

  it.each([
    ["?tenantId=acme", ["acme/s2", "acme/s1"]],
    ["?userId=ben", ["beta/s1"]],
    ["?userId=", ["default/s3"]],
    ["?q=WEEKLY", ["beta/s1", "acme/s1"]],
    ["?q=S3", ["default/s3"]],
    ["?q=be", ["beta/s1"]],
    ["?q=", ["acme/s2", "beta/s1", "acme/s1", "default/s3"]],
    ["?status=idle", ["acme/s2", "beta/s1", "acme/s1", "default/s3"]],
    ["?status=error", []],
    ["?q=weekly&status=idle&userId=ada&tenantId=acme", ["acme/s1"]],
    ["?q=weekly&userId=ada&tenantId=beta", []],
    ["?tenantId=nobody", []],
    ["?sessionId=s1&tenantId=acme", ["acme/s1"]],
    ["?sessionId=s1&tenantId=beta", ["beta/s1"]],
    ["?sessionId=s3", ["default/s3"]],
    ["?sessionId=s1", []],
    ["?sessionId=s1&tenantId=acme&userId=ben", []],
  ])("is narrowed by %s", async (query, expected) => {
    expect(await idsOf(shared(), query)).toStrictEqual(expected);
  });

  it.each([1, 2, 3, 4, 5])("comes whole in pages of %i", async (limit) => {
    const inspector = shared();
    const { body } = await inspector.ask("/sessions");
    expect(await askAllPages(inspector, "/sessions", "sessions", limit)).toStrictEqual(body.sessions);
  });

  it("filters pages too", async () => {
    const inspector = shared();
    const pages = await askAllPages(inspector, "/sessions?q=weekly", "sessions", 1);
    expect(pages).toMatchObject([{ tenantId: "beta" }, { tenantId: "acme", sessionId: "s1" }]);
  });

  it("has a cursor of null on the last page, and none without a limit", async () => {
    const inspector = shared();
    expect((await inspector.ask("/sessions?limit=4")).body.nextCursor).toBeNull();
    expect((await inspector.ask("/sessions?limit=3")).body.nextCursor).toBeTypeOf("string");
    expect((await inspector.ask("/sessions")).body).not.toHaveProperty("nextCursor");
    const { body } = await inspector.ask("/sessions?limit=3");
    const rest = await inspector.ask(`/sessions?cursor=${String(body.nextCursor)}`);
    expect(Object.keys(rest.body)).toStrictEqual(["sessions"]);
    expect(rest.body.sessions).toHaveLength(1);
  });

  it("is empty where there is nothing", async () => {
    const inspector = await open([]);
    expect((await inspector.ask("/sessions")).text).toBe('{"sessions":[]}');
    const { body } = await inspector.ask("/sessions?limit=5");
    expect(body).toMatchObject({ sessions: [], nextCursor: null });
  });

  it("orders equal instants by tenant, then by session", async () => {
    const createdAt = epochAt(0);
    const inspector = await open([
      { tenantId: "b", sessionId: "1", createdAt },
      { tenantId: "a", sessionId: "Z", createdAt },
      { tenantId: "a", sessionId: "é", createdAt },
      { tenantId: "a", sessionId: "a", createdAt },
    ]);
    expect(await idsOf(inspector, "")).toStrictEqual(["a/Z", "a/a", "a/é", "b/1"]);
  });
});

describe("The session list of a hand-made source", () => {
  it("is filtered by status", async () => {
    const sessions = [item("s1", { status: "running" }), item("s2"), item("s3", { status: "error" })];
    const inspector = inspect(handMadeSource({ listSessions: async () => sessions }));
    expect(await idsOf(inspector, "?status=running")).toStrictEqual(["acme/s1"]);
    expect(await idsOf(inspector, "?status=error")).toStrictEqual(["acme/s3"]);
  });

  it("moves no session to another page when one becomes active between two pages", async () => {
    const sessions = [1, 2, 3, 4, 5].map((n) => item(`s${n}`, { lastActive: at(n) }));
    const inspector = inspect(handMadeSource({ listSessions: async () => [...sessions] }));
    const pages = (await askAllPages(inspector, "/sessions", "sessions", 2, (page) => {
      if (page === 0) sessions[4] = item("s5", { lastActive: at(100) });
    })) as InspectorSessionItem[];
    expect(pages.map(({ sessionId }) => sessionId)).toStrictEqual(["s5", "s4", "s3", "s2", "s1"]);
  });

  it("leaves the array that the source gave as it was", async () => {
    const sessions = Object.freeze([item("s1"), item("s2", { lastActive: at(5) })]) as InspectorSessionItem[];
    const inspector = inspect(handMadeSource({ listSessions: async () => sessions }));
    expect(await idsOf(inspector, "")).toStrictEqual(["acme/s2", "acme/s1"]);
    expect(sessions[0]?.sessionId).toBe("s1");
  });

  it("comes in more than one batch where it is long", async () => {
    const sessions = Array.from({ length: 3_000 }, (_, n) => item(`s${n}`, { lastActive: at(n) }));
    const inspector = inspect(handMadeSource({ listSessions: async () => sessions }));
    const { body } = await inspector.ask("/sessions");
    expect(body.sessions).toStrictEqual([...sessions].reverse());
    expect(await askAllPages(inspector, "/sessions", "sessions", 1_000)).toStrictEqual(body.sessions);
  });
});
