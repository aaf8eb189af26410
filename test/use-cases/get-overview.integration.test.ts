import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FilesystemSessionStore } from "../../src/adapters/data-directory/filesystem-session-store.js";
import {
  createInMemoryInspectorDataSource,
  GetOverview,
  ListSessions,
  SummarizeSession,
} from "../../src/advanced.js";
import { FilteredSessions } from "../../src/application/listing/filtered-sessions.js";
import type { SessionStore } from "../../src/application/ports/session-store.js";
import type { OverviewRequest } from "../../src/application/questions/get-overview.js";
import { SessionRecorder } from "../../src/application/recording/session-recorder.js";
import { writeDemo } from "../../src/demo/write-demo.js";
import type { Overview } from "../../src/domain/overview/overview.js";
import type { SessionKey } from "../../src/domain/session/session-key.js";
import type { SessionSummary } from "../../src/domain/summary/session-summary.js";
import type { InspectorDataSource, InspectorSessionItem } from "../../src/index.js";
import { filesystemSource } from "../support/sources.js";

const NOW = Date.parse("2026-11-26T10:00:00Z");

interface Recorded {
  readonly store: SessionStore;
  readonly source: InspectorDataSource;
}

const RECORDED: Readonly<Record<string, () => Promise<Recorded>>> = {
  "in memory": async () => {
    const source = createInMemoryInspectorDataSource();
    return { store: source.sessionStore, source };
  },
  "in a data directory": async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), "overview-"));
    afterAll(() => rm(dataDir, { recursive: true }));
    return { store: new FilesystemSessionStore(dataDir), source: filesystemSource(dataDir) };
  },
};

/** Later questions use earlier readings. */
let filtered = new FilteredSessions();

async function overviewOf(source: InspectorDataSource, request: OverviewRequest = {}): Promise<Overview> {
  const getOverview = new GetOverview(source, { now: () => NOW, filtered });
  for (let asked = 0; asked < 200; asked++) {
    const overview = await getOverview.execute({ zone: "UTC", ...request });
    if (overview.coverage.unread === 0) return overview;
  }
  throw new Error("The overview is never whole.");
}

async function listOf(source: InspectorDataSource, filter: string): Promise<readonly InspectorSessionItem[]> {
  for (let asked = 0; asked < 200; asked++) {
    const list = await new ListSessions(source, undefined, filtered).execute({
      filter,
      zone: "UTC",
      window: { limit: 1000 },
    });
    if (list.isUnchanged) throw new Error("It is a first answer.");
    if (list.counts?.undecided !== undefined) continue;
    const texts: string[] = [];
    for await (const text of list.texts) texts.push(new TextDecoder().decode(text));
    return JSON.parse(`[${texts.join(",")}]`.replaceAll(",,", ",")) as InspectorSessionItem[];
  }
  throw new Error("What the filter means is never known.");
}

const idsOf = (sessions: readonly SessionKey[]) =>
  sessions.map(({ tenantId, sessionId }) => `${tenantId}/${sessionId}`).sort();

describe.each(Object.entries(RECORDED))("The overview of sessions that were recorded %s", (_, record) => {
  let source: InspectorDataSource;
  let summaries: readonly SessionSummary[];
  let overview: Overview;

  beforeAll(async () => {
    filtered = new FilteredSessions();
    const recorded = await record();
    source = recorded.source;
    await writeDemo((clock) => new SessionRecorder(recorded.store, { clock }), NOW);
    const summarize = new SummarizeSession(source);
    const listed = await source.listSessions();
    summaries = await Promise.all(
      listed.map(async ({ tenantId, sessionId }) => {
        const answer = await summarize.execute({ tenantId, sessionId });
        if (answer.isUnchanged) throw new Error("It is a first answer.");
        return answer.value;
      }),
    );
    overview = await overviewOf(source);
  });

  it("is of all sessions, and what it counts is what their summaries count", () => {
    const sum = (of: (summary: SessionSummary) => number) => summaries.reduce((all, one) => all + of(one), 0);
    expect(overview.coverage).toMatchObject({ sessions: summaries.length, withoutFacts: 0, unread: 0 });
    expect(overview.total).toMatchObject({
      toolCalls: sum(({ counts }) => counts.toolCalls),
      failedToolCalls: sum(({ counts }) => counts.failedToolCalls),
      usage: { outputTokens: sum(({ total }) => total.usage.outputTokens) },
    });
    expect(overview.total.toolCalls).toBeGreaterThan(100);
    expect(overview.tools.reduce((all, { calls }) => all + calls, 0)).toBe(overview.total.toolCalls);
  });

  it("is that of the list, row by row", async () => {
    const { tools, users, failures, projects } = overview;
    const rows = [
      ...tools.slice(0, 3),
      ...users.slice(0, 2),
      ...failures.slice(0, 3),
      ...projects.slice(0, 2),
    ];
    for (const { filter, sessions } of rows) {
      const found = await listOf(source, filter!);
      expect([filter, found.length]).toEqual([filter, sessions]);
      expect((await overviewOf(source, { filter })).coverage.sessions).toBe(sessions);
    }
  });

  it("parts the sessions by a filter and its negation", async () => {
    const all = idsOf(summaries);
    for (const filter of ["error", "tool:bash", "agents:>0", "after:2d"]) {
      const parts = [...(await listOf(source, filter)), ...(await listOf(source, `NOT ${filter}`))];
      expect([filter, idsOf(parts)]).toEqual([filter, all]);
    }
  });

  it("tells a caller about the caller's tenants alone", async () => {
    const [own, other] = [...new Set(summaries.map(({ tenantId }) => tenantId))];
    const scoped = await overviewOf(source, { tenants: [own!], by: "tenant" });
    const expected = await overviewOf(source, { tenantId: own!, by: "tenant" });
    expect(scoped).toEqual(expected);
    expect(scoped.rows.map(({ name }) => name)).toEqual([own]);
    expect(JSON.stringify(scoped)).not.toContain(`"${other}"`);
    const none = await overviewOf(source, { tenants: [own!], tenantId: other! });
    expect(none.coverage).toMatchObject({ sessions: 0, unread: 0, undecided: 0 });
    expect(none.tools).toEqual([]);
  });

  it.each([
    [{ filter: "tol:bash" }, 'filter is wrong at character 1: There is no field "tol". Is it "tool"?'],
    [{ zone: "Mars/Olympus" }, "zone must be a time zone, such as Europe/Berlin."],
    [{ from: "soon" }, "from must be a date, such as 2026-11-01, or a time before now, such as 7d."],
    [{ from: "2026-11-02", to: "2026-11-01" }, "from must lie before the end of the range."],
  ])("refuses %j", async (request, message) => {
    await expect(overviewOf(source, request)).rejects.toThrow(message);
  });
});
