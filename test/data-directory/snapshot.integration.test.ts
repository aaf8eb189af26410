import { appendFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ThreadPool } from "../../src/adapters/files/threads/thread-pool.js";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import { readAllRecords } from "../../src/application/sources/record-streams.js";
import type { InspectorDataSource, SessionSnapshot } from "../../src/index.js";
import { envelopeText } from "../contract/fixture.js";
import { emptySession, temporaryFolder } from "../support/data-directory.js";
import { pools } from "../support/pools.js";

const message = (content: unknown) => `${JSON.stringify({ role: "user", content })}\n`;
const spawned = (id: string) =>
  `${JSON.stringify({ eventId: `e-${id}`, type: "agent_spawned", agent: { id } })}\n`;

async function opened(source: InspectorDataSource): Promise<SessionSnapshot> {
  const session = await source.openSession?.("acme", "s1");
  if (session === undefined) throw new Error("there is no such session");
  return session;
}

async function contentsOf(session: SessionSnapshot): Promise<unknown[]> {
  return (await readAllRecords<{ content: unknown }>(await session.messages())).map(({ content }) => content);
}

describe.each(pools())("a session that is opened %s", (_, pool) => {
  const open = (dataDir: string) => createFilesystemInspectorDataSource(dataDir, { pool });

  it("is none where there is no folder of that name inside the data directory", async () => {
    const files = await emptySession();
    await writeFile(path.join(path.dirname(files.folder), "file"), "");
    const outside = await temporaryFolder();
    await symlink(outside, path.join(path.dirname(files.folder), "link"));
    const source = open(files.dataDir);
    for (const sessionId of ["s2", "file", "link"])
      expect(await source.openSession?.("acme", sessionId)).toBeUndefined();
    expect(await source.openSession?.("other", "s1")).toBeUndefined();
    expect(await source.openSession?.("acme", "s1")).toBeDefined();
  });

  it("has another revision when any of its parts has changed, and the same one otherwise", async () => {
    const files = await emptySession();
    const source = open(files.dataDir);
    const revisions = [(await opened(source)).revision];
    for (const file of [files.trace, files.messages, files.orchestration, files.checkpoint, files.trace]) {
      await appendFile(file, "{}\n");
      revisions.push((await opened(source)).revision);
      expect((await opened(source)).revision).toBe(revisions.at(-1));
    }
    await rm(files.messages);
    revisions.push((await opened(source)).revision);
    expect(new Set(revisions).size).toBe(revisions.length);
  });

  it("holds what its revision identifies, whatever is added before its parts are read", async () => {
    const files = await emptySession();
    await writeFile(files.messages, message("a"));
    const source = open(files.dataDir);
    const [session, other] = [await opened(source), await opened(source)];
    await appendFile(files.messages, message("b"));
    expect(await contentsOf(session)).toEqual(["a"]);
    const later = await opened(source);
    expect(later.revision).not.toBe(session.revision);
    expect(await contentsOf(later)).toEqual(["a", "b"]);
    expect(await contentsOf(other)).toEqual(["a"]);
  });

  it("is read by a signal that was used before as if it were a new one", async () => {
    const files = await emptySession();
    await writeFile(files.messages, message("a"));
    await writeFile(files.session, '{"type":"init","title":"First"}\n');
    const source = open(files.dataDir);
    const options = { signal: new AbortController().signal };
    const state = async () => [
      (await source.listSessions(options)).map(({ title }) => title),
      (await source.loadMessages("acme", "s1", options)).map(({ content }) => content),
      (await source.openSession?.("acme", "s2", options)) !== undefined,
    ];
    expect(await state()).toEqual([["First"], ["a"], false]);
    await appendFile(files.messages, message("b"));
    await appendFile(files.session, '{"type":"update","title":"Second"}\n');
    expect(await state()).toEqual([["Second"], ["a", "b"], false]);
  });

  it("stops reading when the signal is aborted that it was opened with", async () => {
    const files = await emptySession();
    await writeFile(files.messages, message("x".repeat(100_000)).repeat(20));
    const controller = new AbortController();
    const session = await open(files.dataDir).openSession?.("acme", "s1", { signal: controller.signal });
    const messages = await session!.messages();
    const reading = async () => {
      for await (const _ of messages.read({ from: 0, to: messages.size }))
        controller.abort(new Error("left"));
    };
    await expect(reading()).rejects.toThrow("left");
    await expect(session!.trace()).resolves.toMatchObject({ size: 0 });
  });

  it("has no conversation of a sub-agent", async () => {
    const files = await emptySession();
    await writeFile(files.messages, message("a"));
    expect(await (await opened(open(files.dataDir))).messages("agent-1")).toMatchObject({
      size: 0,
      warnings: [],
    });
  });

  it("has the warnings of a part with that part, by the file's name", async () => {
    const files = await emptySession();
    await writeFile(files.trace, `oops\n${envelopeText(0, { type: "x" })}\n`);
    await writeFile(files.orchestration, `${spawned("a1")}\nnull\n`);
    const source = open(files.dataDir);
    const session = await opened(source);
    expect((await session.trace()).warnings).toEqual([
      { file: "trace/events.jsonl", line: 1, reason: "is not valid JSON" },
    ]);
    const log = await session.orchestration();
    const warnings = [
      { file: "orchestration/events.jsonl", line: 3, reason: "is valid JSON, but no object" },
    ];
    expect(log.events.warnings).toEqual(warnings);
    expect(await log.state()).not.toHaveProperty("warnings");
    expect(await source.loadOrchestrationState("acme", "s1")).toMatchObject({ warnings });
  });

  it("has the state behind its checkpoint, and of the whole log where that cannot be read or lies outside", async () => {
    const files = await emptySession();
    const agentsOf = async (source: InspectorDataSource) =>
      Object.keys((await source.loadOrchestrationState("acme", "s1"))?.snapshot.agents ?? {});
    await writeFile(files.orchestration, spawned("a1") + spawned("a2"));
    const source = open(files.dataDir);
    expect(await agentsOf(source)).toEqual(["a1", "a2"]);
    const agents = JSON.parse('{"kept":{"id":"kept"},"__proto__":{"id":"__proto__"}}') as object;
    const checkpoint = JSON.stringify({
      agents,
      lastEventId: "e-a1",
      tasks: {},
      waits: {},
      queuedInputs: [],
    });
    await writeFile(files.checkpoint, checkpoint);
    expect(await agentsOf(source)).toEqual(["kept", "__proto__", "a2"]);
    for (const bytes of ["", checkpoint.slice(0, -1), "[]", "null"]) {
      await writeFile(files.checkpoint, bytes);
      expect(await agentsOf(source)).toEqual(["a1", "a2"]);
    }
    const outside = path.join(await temporaryFolder(), "checkpoint.json");
    await writeFile(outside, checkpoint);
    await rm(files.checkpoint);
    await symlink(outside, files.checkpoint);
    expect(await agentsOf(source)).toEqual(["a1", "a2"]);
  });

  it("serves a small list from memory, and reads it again when its file was replaced", async () => {
    const files = await emptySession();
    await writeFile(files.messages, message("a"));
    const source = open(files.dataDir);
    expect(await contentsOf(await opened(source))).toEqual(["a"]);
    expect(await contentsOf(await opened(source))).toEqual(["a"]);
    await writeFile(`${files.messages}.next`, message("b"));
    await rename(`${files.messages}.next`, files.messages);
    expect(await contentsOf(await opened(source))).toEqual(["b"]);
  });
});

describe("the warnings of a session", () => {
  it("name its files whatever its id is", async () => {
    const files = await emptySession("tenants", "sessions");
    await writeFile(files.trace, "oops\n");
    const source = createFilesystemInspectorDataSource(files.dataDir, { threads: false });
    const session = await source.openSession?.("tenants", "sessions");
    expect((await session!.trace()).warnings).toMatchObject([{ file: "trace/events.jsonl" }]);
  });
});

describe("the option threads", () => {
  it("is false, or a number of threads", () => {
    for (const threads of [0, -1, 1.5, Number.NaN]) {
      expect(() => createFilesystemInspectorDataSource("data", { threads })).toThrow(RangeError);
    }
  });
});

describe("a pool that is given to two sources", () => {
  it("is left running when one of them is closed", async () => {
    const files = await emptySession();
    const pool = new ThreadPool();
    const [one, other] = [0, 1].map(() => createFilesystemInspectorDataSource(files.dataDir, { pool }));
    await one!.listSessions();
    await one!.close?.();
    expect(await other!.listSessions()).toHaveLength(1);
    await pool.close();
  });
});
