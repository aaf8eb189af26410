import { appendFile, rm, writeFile } from "node:fs/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { sessionFiles } from "../../src/adapters/filesystem/session-files.js";
import { createFilesystemInspectorDataSource, GetSessionTrace, ListSessions } from "../../src/advanced.js";
import type { InspectorDataSource, RecordStream } from "../../src/index.js";
import {
  createPostgresDataSource,
  createPostgresSessionStore,
  type ImportProgress,
  importIntoPostgres,
} from "../../src/postgres.js";
import { envelopeText, NOON } from "../contract/fixture.js";
import { emptySession, makeFolders, temporaryFolder, writeSessions } from "../support/data-directory.js";
import { useDatabase } from "../support/postgres-database.js";

const database = useDatabase();

function databaseSource(): InspectorDataSource {
  const source = createPostgresDataSource({ connectionString: database.connectionString });
  onTestFinished(() => source.close?.());
  return source;
}

function importFrom(dataDir: string, onProgress?: (progress: ImportProgress) => void, signal?: AbortSignal) {
  const source = createFilesystemInspectorDataSource(dataDir);
  return importIntoPostgres(source, { connectionString: database.connectionString, onProgress, signal });
}

async function bytesOf(stream: RecordStream): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const batch of stream.read({ from: 0, to: stream.size })) {
    for (let i = 0; i < batch.size; i++) {
      parts.push(Uint8Array.from(batch.text.subarray(batch.start(i), batch.end(i))), Uint8Array.of(0x0a));
    }
  }
  return Buffer.concat(parts).toString("latin1");
}

/** Everything that can be read of a source: the list, the records byte for byte, the states. */
async function everything(source: InspectorDataSource): Promise<unknown> {
  const sessions = (await source.listSessions()).sort((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
  const contents = [];
  for (const { tenantId, sessionId } of sessions) {
    contents.push({
      trace: await bytesOf(await source.streamTraceEnvelopes!(tenantId, sessionId)),
      messages: await bytesOf(await source.streamMessages!(tenantId, sessionId)),
      events: await source.loadOrchestrationEvents(tenantId, sessionId),
      state: await source.loadOrchestrationState(tenantId, sessionId),
    });
  }
  return { sessions, contents };
}

async function writeDirectory(sessions: number, records: number): Promise<string> {
  const dataDir = await temporaryFolder();
  const numbers = Array.from({ length: records }, (_, i) => i);
  await writeSessions(
    dataDir,
    Array.from({ length: sessions }, (_, session) => ({
      tenantId: `t${session % 2}`,
      sessionId: `s${session}`,
      userId: "ada",
      title: `Session ${session}`,
      createdAt: NOON,
      turns: [
        {
          inputTokens: 3,
          outputTokens: 4,
          cacheReadTokens: 5,
          cacheWriteTokens: 6,
          updatedAt: NOON + 9_000_000,
        },
      ],
      envelopes: numbers.map((i) => envelopeText(i, { type: "turn.start", text: "é".repeat(i % 50) })),
      messages: numbers.map((i) => `{"role":"user", "n":${i}.50,"big":9007199254740993}`),
      orchestrationEvents: ['{"eventId":"e1","type":"agent_spawned","agent":{"id":"a1"}}'],
    })),
  );
  return dataDir;
}

describe("An import", () => {
  it("copies a directory so that reading it back gives the same bytes and the same list", async () => {
    const dataDir = await writeDirectory(6, 300);
    const report = await importFrom(dataDir);
    expect(report).toMatchObject({ sessions: 6, totalSessions: 6, records: 6 * 601, skipped: [] });
    expect(await everything(databaseSource())).toEqual(
      await everything(createFilesystemInspectorDataSource(dataDir)),
    );
  });

  it("keeps bytes that are no UTF-8, duplicates, records without an id, white space and records in any order", async () => {
    const files = await emptySession();
    const odd = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from('"}')]);
    const lines = [
      Buffer.from(envelopeText(3, { type: "x" })),
      odd,
      Buffer.from(envelopeText(3, { type: "x" })),
      Buffer.from('{ "b" : "\\u0000\\ud83d" , "b":2 }'),
      Buffer.from("{}"),
      Buffer.from(envelopeText(0, { type: "x" })),
    ];
    await writeFile(files.trace, Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")])));
    await writeFile(files.messages, Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\r\n")])));
    await importFrom(files.dataDir);
    const source = databaseSource();
    const directory = createFilesystemInspectorDataSource(files.dataDir);
    expect(await everything(source)).toEqual(await everything(directory));
    expect(await bytesOf(await source.streamMessages!("acme", "s1"))).toContain(odd.toString("latin1"));

    const read = async (from: InspectorDataSource) => {
      const trace = await new GetSessionTrace(from).execute({ tenantId: "acme", sessionId: "s1" });
      if (trace.isUnchanged) throw new Error("Nobody has anything.");
      const parts: Uint8Array[] = [];
      for await (const text of trace.texts) parts.push(Uint8Array.from(text));
      return Buffer.concat(parts).toString("latin1");
    };
    expect(await read(source)).toBe(await read(directory));
  });

  it("keeps a state that the events alone do not give", async () => {
    const files = await emptySession();
    const checkpoint = { agents: { a0: { id: "a0", role: "old" } }, tasks: {}, waits: {}, queuedInputs: [] };
    await writeFile(
      `${files.orchestration.replace(/events\.jsonl$/, "")}checkpoint.json`,
      JSON.stringify(checkpoint),
    );
    await writeFile(files.orchestration, '{"type":"agent_input_queued","input":{"id":"i1"}}\n');
    await importFrom(files.dataDir);
    await importFrom(files.dataDir);
    const source = databaseSource();
    const state = await source.loadOrchestrationState("acme", "s1");
    expect(state).toEqual(
      await createFilesystemInspectorDataSource(files.dataDir).loadOrchestrationState("acme", "s1"),
    );
    expect(state?.snapshot.queuedInputs).toHaveLength(1);
    expect(state?.snapshot.agents.a0).toMatchObject({ role: "old" });
  });

  it("goes on where it was broken off, and copies nothing twice", async () => {
    const dataDir = await writeDirectory(8, 3_000);
    let copied = 0;
    for (let breaks = 0; breaks < 3; breaks++) {
      const controller = new AbortController();
      const reason = new Error("broken off");
      let last = 0;
      const importing = importFrom(
        dataDir,
        ({ records }) => {
          last = records;
          if (records > 8_000) controller.abort(reason);
        },
        controller.signal,
      );
      await expect(importing).rejects.toBe(reason);
      copied += last;
    }
    const { records } = await importFrom(dataDir);
    expect(copied + records).toBeLessThanOrEqual(8 * 6_001);
    expect(records).toBeLessThan(8 * 6_001 - 20_000);
    expect(await everything(databaseSource())).toEqual(
      await everything(createFilesystemInspectorDataSource(dataDir)),
    );
    expect((await importFrom(dataDir)).records).toBe(0);
  }, 120_000);

  it("copies what a directory has got since, and a conversation that was compacted", async () => {
    const dataDir = await writeDirectory(1, 10);
    await importFrom(dataDir);
    const files = sessionFiles(dataDir, "t0", "s0");
    await appendFile(files.trace, `${envelopeText(10, { type: "turn.end", outcome: "failed" })}\n`);
    await writeFile(files.messages, '{"summary":true}\n');
    await appendFile(files.session, '{"type":"update","title":"Another"}\n');
    expect((await importFrom(dataDir)).records).toBe(2);
    const source = databaseSource();
    expect(await everything(source)).toEqual(await everything(createFilesystemInspectorDataSource(dataDir)));
    expect(await source.listSessions()).toMatchObject([{ status: "error", title: "Another" }]);
  });

  it("leaves alone a session that an application has gone on with", async () => {
    const dataDir = await writeDirectory(3, 3);
    await importFrom(dataDir);
    const store = createPostgresSessionStore({ connectionString: database.connectionString });
    await store.appendMessages({ tenantId: "t0", sessionId: "s0" }, [{ later: true }]);
    await store.updateSession({ tenantId: "t1", sessionId: "s1" }, { title: "Later", updatedAt: NOON });
    await store.close?.();
    const { skipped } = await importFrom(dataDir);
    expect(skipped.map(({ sessionId }) => sessionId).sort()).toEqual(["s0", "s1"]);
    const source = databaseSource();
    expect((await source.loadMessages("t0", "s0")).at(-1)).toEqual({ later: true });
    expect((await source.listSessions()).map(({ title }) => title)).toContain("Later");
  });

  it("leaves alone a session that was not imported, and one whose trace is another", async () => {
    const store = createPostgresSessionStore({ connectionString: database.connectionString });
    await store.appendMessages({ tenantId: "t0", sessionId: "s0" }, [{ own: true }]);
    await store.close?.();
    const dataDir = await writeDirectory(2, 3);
    expect((await importFrom(dataDir)).skipped).toMatchObject([
      { sessionId: "s0", reason: expect.stringContaining("something else than an import") },
    ]);
    expect(await databaseSource().loadMessages("t0", "s0")).toEqual([{ own: true }]);
    const files = sessionFiles(dataDir, "t1", "s1");
    await rm(files.trace);
    await makeFolders(files);
    await writeFile(files.trace, `${envelopeText(7, { type: "x" })}\n`);
    const { skipped } = await importFrom(dataDir);
    expect(skipped.map(({ sessionId }) => sessionId).sort()).toEqual(["s0", "s1"]);
    expect(await databaseSource().loadTraceEnvelopes("t1", "s1")).toHaveLength(3);
  });

  it("lists sessions whose records know no instant by the instant that the directory gave them", async () => {
    const files = await emptySession();
    await writeFile(files.messages, "{}\n");
    await importFrom(files.dataDir);
    const texts = async (source: InspectorDataSource) => {
      const list = await new ListSessions(source).execute();
      if (list.isUnchanged) throw new Error("Nobody has anything.");
      let text = "";
      for await (const piece of list.texts) text += new TextDecoder().decode(piece);
      return text;
    };
    expect(await texts(databaseSource())).toBe(
      await texts(createFilesystemInspectorDataSource(files.dataDir)),
    );
  });
});
