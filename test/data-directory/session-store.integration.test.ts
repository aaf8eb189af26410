import { appendFile, readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { sessionFiles } from "../../src/adapters/data-directory/session-files.js";
import {
  createFilesystemInspectorDataSource,
  createFilesystemSessionStore,
  RecordingError,
  SessionRecorder,
} from "../../src/advanced.js";
import { describeSessionStore } from "../contract/index.js";
import { temporaryFolder } from "../support/data-directory.js";
import { sharedThread } from "../support/pools.js";

const pool = sharedThread();

describeSessionStore("FilesystemSessionStore", async () => {
  const dataDir = await temporaryFolder();
  return {
    store: createFilesystemSessionStore(dataDir),
    source: createFilesystemInspectorDataSource(dataDir, { pool }),
  };
});

async function recorded() {
  const dataDir = await temporaryFolder();
  const recorder = new SessionRecorder(createFilesystemSessionStore(dataDir));
  const session = await recorder.open({ tenantId: "acme", sessionId: "s1", userId: "ada", title: "First" });
  return { dataDir, recorder, session, files: sessionFiles(dataDir, "acme", "s1") };
}

const lines = async (file: string) => (await readFile(file, "utf8")).split("\n");

describe("FilesystemSessionStore", () => {
  it("writes the layout that docs/data-directory.md describes", async () => {
    const { session, files, dataDir } = await recorded();
    const trace = session.startTrace("t1");
    await trace.record({ type: "turn.start", turnIndex: 0 });
    await session.appendMessages([{ role: "user", content: "hello" }]);
    await session.recordTurn({ inputTokens: 3, outputTokens: 4 });
    await session.recordOrchestration({ type: "agent_spawned", agent: { id: "a1", role: "r" } });
    await session.setTitle("Second");
    const [init, turn, update, end] = await lines(files.session);
    expect(JSON.parse(init!)).toMatchObject({
      type: "init",
      sessionId: "s1",
      tenantId: "acme",
      userId: "ada",
      title: "First",
      createdAt: expect.any(Number),
    });
    expect(JSON.parse(turn!)).toMatchObject({
      type: "turn",
      turnIndex: 0,
      inputTokens: 3,
      cacheReadTokens: 0,
    });
    expect(JSON.parse(update!)).toMatchObject({ type: "update", title: "Second" });
    expect(end).toBe("");
    const source = createFilesystemInspectorDataSource(dataDir, { pool });
    expect(await source.listSessions()).toMatchObject([
      { title: "Second", turns: 1, tokens: 7, status: "running", userId: "ada" },
    ]);
    expect(await source.loadTraceEnvelopes("acme", "s1")).toMatchObject([
      { sequence: 0, source: "runtime", traceId: "t1", tenantId: "acme", sessionId: "s1" },
    ]);
    expect((await source.loadOrchestrationState("acme", "s1"))?.snapshot.agents.a1).toMatchObject({
      role: "r",
    });
  });

  it("stores what is nested so deep that the platform's JSON fails on it", async () => {
    const { session, files } = await recorded();
    const depth = 20_000;
    const output: unknown = JSON.parse("[".repeat(depth) + "]".repeat(depth));
    await session.appendMessages([{ role: "tool", content: output }]);
    expect((await lines(files.messages))[0]).toContain(`"content":${"[".repeat(depth)}]`);
  });

  it("begins a clean line behind one that a killed writer tore", async () => {
    const { session, files, dataDir } = await recorded();
    await session.appendMessages([{ role: "user", content: "a" }]);
    await appendFile(files.messages, '{"role":"user","conte');
    const again = await new SessionRecorder(createFilesystemSessionStore(dataDir)).open({
      tenantId: "acme",
      sessionId: "s1",
    });
    await again.appendMessages([{ role: "user", content: "b" }]);
    const messages = await createFilesystemInspectorDataSource(dataDir, { pool }).loadMessages("acme", "s1");
    expect(messages.map(({ content }) => content)).toEqual(["a", "b"]);
  });

  it("goes on with a session that is there: its turns are counted on, its beginning is not written again", async () => {
    const { session, files, recorder } = await recorded();
    await session.recordTurn();
    const again = await recorder.open({ tenantId: "acme", sessionId: "s1", title: "ignored" });
    expect(again.turns).toBe(1);
    await again.recordTurn();
    const records = (await lines(files.session))
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { type: string });
    expect(records.map(({ type }) => type)).toEqual(["init", "turn", "turn"]);
  });

  it("archives the conversation that a compaction replaces", async () => {
    const { session, files, dataDir } = await recorded();
    await session.compactMessages([{ role: "user", content: "nothing was said before" }]);
    await session.appendMessages([{ role: "user", content: "b" }]);
    await session.compactMessages([{ role: "user", content: "summary" }]);
    await session.appendMessages([{ role: "user", content: "c" }]);
    expect(await readdir(files.compactions)).toEqual(["0001.jsonl", "0002.open"]);
    expect(await lines(`${files.compactions}/0001.jsonl`)).toHaveLength(3);
    const messages = await createFilesystemInspectorDataSource(dataDir, { pool }).loadMessages("acme", "s1");
    expect(messages.map(({ content }) => content)).toEqual(["summary", "c"]);
  });

  it("refuses ids that would leave the data directory", async () => {
    const { recorder } = await recorded();
    for (const sessionId of ["../s2", "..", "a/b", "a\\b", "", "a\0b"]) {
      await expect(recorder.open({ tenantId: "acme", sessionId })).rejects.toBeInstanceOf(RecordingError);
    }
    await expect(recorder.open({ tenantId: "../acme" })).rejects.toThrow("tenantId");
  });

  it("reports what could not be recorded, with the reason as the cause", async () => {
    const { session, files } = await recorded();
    await appendFile(`${files.folder}/trace`, "a file where a folder should be");
    const failing = session.startTrace().record({ type: "turn.start", turnIndex: 0 });
    await expect(failing).rejects.toMatchObject({ name: "RecordingError", cause: { code: "ENOTDIR" } });
    await session.appendMessages([{ role: "user", content: "other files are written on" }]);
  });
});
