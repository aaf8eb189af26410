import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { Database } from "../../src/adapters/postgres/database.js";
import { saveCheckpoint } from "../../src/adapters/postgres/orchestration-checkpoint.js";
import { ListSessions } from "../../src/advanced.js";
import type { InspectorDataSource, InspectorSessionItem, SessionStore } from "../../src/index.js";
import {
  createPostgresDataSource,
  createPostgresSessionStore,
  importIntoPostgres,
} from "../../src/postgres.js";
import { generateSessions } from "../support/generated-sessions.js";
import { handMadeSource } from "../support/hand-made-source.js";
import { useDatabase } from "../support/postgres-database.js";
import { anyText, NOW, session, write } from "../support/random-sessions.js";

const database = useDatabase();

const MINUTE = 60_000;
const KEY = { tenantId: "acme", sessionId: "s1" };
const START = { ...KEY, userId: "ada", title: "A title", createdAt: NOW };

function open(now = NOW): { store: SessionStore; source: InspectorDataSource } {
  const { connectionString } = database;
  const store = createPostgresSessionStore({ connectionString });
  const source = createPostgresDataSource({ connectionString, now: () => now });
  onTestFinished(async () => {
    await store.close?.();
    await source.close?.();
  });
  return { store, source };
}

/** Every row has a text, and at any moment the texts are those of the items that the columns give. */
async function expectTextsOfItems(sources: readonly InspectorDataSource[], rows?: number): Promise<void> {
  for (const source of sources) {
    const items = await source.listSessions();
    if (rows !== undefined) expect(items).toHaveLength(rows);
    const texts = await source.findSessionTexts!({ limit: 1_000 });
    expect(texts).toEqual(items.map((item) => JSON.stringify(item)));
  }
}

/** What code of version 1 does when it changes a title: the text of the item stays as it was. */
async function renameAsVersion1(title: string): Promise<void> {
  await database.run(`UPDATE agent_inspector.sessions SET revision = revision + 1, title = '${title}'`);
}

async function listed(source: InspectorDataSource): Promise<string> {
  const list = await new ListSessions(source).execute({ window: { limit: 10 } });
  if (list.isUnchanged) throw new Error("Nobody has anything.");
  let text = "";
  for await (const piece of list.texts) text += new TextDecoder().decode(piece);
  return text;
}

describe("The texts of the items", () => {
  it("are those of the columns after every kind of write, whatever the clock says", async () => {
    const { store } = open();
    const sources = [-MINUTE, 0, 4 * MINUTE, 60 * MINUTE].map((later) => open(NOW + later).source);
    const kinds: ((one: { readonly tenantId: string; readonly sessionId: string }) => Promise<unknown>)[] = [
      (key) => store.updateSession(key, { title: '\u0000 "status":"running"', updatedAt: NOW }),
      (key) => store.appendMessages(key, [{ role: "user", content: "hello" }]),
      (key) => store.replaceMessages(key, [{ role: "user", content: "again" }]),
    ];
    const sessions = fc.uniqueArray(session, {
      selector: ({ tenantId, sessionId }) => `${tenantId}/${sessionId}`,
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(sessions, fc.nat(kinds.length), async (written, kind) => {
        await database.empty();
        await Promise.all(
          written.map(async (one) => {
            await write(store, one);
            await kinds[kind]?.(one);
          }),
        );
        await expectTextsOfItems(sources, written.length);
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  it("are those of the columns after an import, whatever the source says of a session", async () => {
    const count = fc.oneof(fc.nat(), fc.double({ min: 0, noNaN: true }));
    const usage = fc.record({
      cacheWriteTokens: count,
      cacheReadTokens: count,
      outputTokens: count,
      inputTokens: count,
      ofAnotherKind: count,
    });
    const item: fc.Arbitrary<InspectorSessionItem> = fc.record(
      {
        status: fc.constantFrom("idle", "running", "error"),
        usage,
        agentId: anyText,
        title: anyText,
        createdAt: fc.constantFrom("2026-01-15T11:59:00.000Z", "2026-01-15", "never"),
        tenantId: fc.constant("acme"),
        sessionId: fc.constant("s1"),
        userId: anyText,
        lastActive: fc.constantFrom("2026-01-15T12:00:00.000Z", "2026-01-15T12:00:00.123456+01:00", ""),
        turns: fc.nat(),
        tokens: count,
      },
      { requiredKeys: ["tenantId", "sessionId", "userId", "lastActive", "turns", "tokens", "status"] },
    );
    const { source } = open();
    const event = { type: "agent_spawned", eventId: "e1", agent: { id: "a1" } };
    await fc.assert(
      fc.asyncProperty(item, fc.array(fc.constant(event), { maxLength: 1 }), async (imported, events) => {
        await database.empty();
        const known = handMadeSource({
          listSessions: async () => [imported],
          loadTraceEnvelopes: async () => [],
          loadOrchestrationEvents: async () => events,
          loadMessages: async () => [],
          // A state that the events do not give: it is kept as a checkpoint, which is a write of its own.
          loadOrchestrationState: async () => ({ snapshot: { agents: {}, kept: true } as never }),
        });
        const { connectionString } = database;
        for (let repeated = 0; repeated < 2; repeated++) {
          expect(await importIntoPostgres(known, { connectionString })).toMatchObject({ skipped: [] });
          await expectTextsOfItems([source], 1);
        }
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  it("are those of the columns in a database that SQL filled for a measurement", async () => {
    await database.run(generateSessions(200, 1, 300));
    const running = Date.UTC(2026, 0, 15, 12, 2);
    await expectTextsOfItems([open(running).source, open(running + 60 * MINUTE).source], 200);
    const statuses = (await open(running).source.listSessions()).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set(["idle", "running", "error"]));
  });

  it("say that a session is running for as long as it is, and nothing else of its title", async () => {
    const { store, source } = open(NOW + MINUTE);
    const words = '"status":"running"';
    await store.openSession({ ...START, title: words });
    const timestamp = new Date(NOW).toISOString();
    const envelope = { ...KEY, id: "1", timestamp, sequence: 0, source: "runtime" as const, traceId: "t1" };
    await store.appendTraceEnvelopes(KEY, [{ ...envelope, event: { type: "turn.start" } }]);
    const item = { status: "running", title: words };
    expect(JSON.parse((await source.findSessionTexts!({ limit: 1 }))![0]!)).toMatchObject(item);
    const [later] = (await open(NOW + 6 * MINUTE).source.findSessionTexts!({ limit: 1 }))!;
    expect(JSON.parse(later!)).toMatchObject({ ...item, status: "idle" });
  });
});

/** A write that changes the revision and not the item. */
async function checkpoint(): Promise<void> {
  const opened = new Database({ connectionString: database.connectionString });
  await saveCheckpoint(opened, KEY, 0, { agents: {} } as never);
  await opened.close();
}

describe("A session that code of an older version wrote", () => {
  it("is listed from its columns where it has no text, until it is written to", async () => {
    const { store, source } = open();
    await store.openSession(START);
    const text = await listed(source);
    await database.run("UPDATE agent_inspector.sessions SET item = NULL, item_revision = NULL");
    expect(await source.findSessionTexts!({ limit: 10 })).toBeUndefined();
    expect(await listed(source)).toBe(text);
    await store.appendMessages(KEY, [{ n: 1 }]);
    expect(await source.findSessionTexts!({ limit: 10 })).toEqual([text]);
  });

  it("is never listed with the text that newer code wrote before it", async () => {
    const { store, source } = open();
    await store.openSession(START);
    await renameAsVersion1("Renamed");
    expect(await source.findSessionTexts!({ limit: 10 })).toBeUndefined();
    expect(await listed(source)).toContain('"title":"Renamed"');
    await checkpoint();
    expect(await listed(source)).toContain('"title":"Renamed"');
    await store.updateSession(KEY, { title: "And again", updatedAt: NOW });
    await renameAsVersion1("At last");
    await store.appendMessages(KEY, [{ n: 1 }]);
    await expectTextsOfItems([source], 1);
    expect(await listed(source)).toContain('"title":"At last"');
  });

  it("keeps its text where only a checkpoint of its state is written", async () => {
    const { store, source } = open();
    await store.openSession(START);
    const texts = await source.findSessionTexts!({ limit: 10 });
    await checkpoint();
    expect(texts).toHaveLength(1);
    expect(await source.findSessionTexts!({ limit: 10 })).toEqual(texts);
  });
});
