import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { historiesRead, listAnew, listOfNewThread } from "../support/cached-lists.js";
import { temporaryFolder } from "../support/data-directory.js";

const KIND = "filesystem";

const line = (record: object) => `${JSON.stringify(record)}\n`;

async function newDataDirectory(instants: Readonly<Record<string, number>>): Promise<string> {
  const root = await temporaryFolder();
  for (const [sessionId, at] of Object.entries(instants)) {
    const session = path.join(root, "tenants/t1/sessions", sessionId);
    await mkdir(path.join(session, "trace"), { recursive: true });
    await writeFile(
      path.join(session, "session.jsonl"),
      line({ type: "init", userId: "ada", createdAt: at }),
    );
    const event = { traceId: "r", sequence: 1, timestamp: at, event: { type: "run.start" } };
    await writeFile(path.join(session, "trace/events.jsonl"), line(event));
  }
  return root;
}

const filesOf = (sessionId: string) =>
  ["session.jsonl", "trace/events.jsonl"].map((name) => `tenants/t1/sessions/${sessionId}/${name}`);

describe("the list of a data directory by a second process", { timeout: 120_000 }, () => {
  it("opens no log that has not changed, but for sessions that may be running", async () => {
    const root = await newDataDirectory({ s1: 1_000, s2: 2_000, live: Date.now() });
    const cacheDir = await temporaryFolder();
    expect(await historiesRead(KIND, root, cacheDir)).toEqual(
      ["live", "s1", "s2"].flatMap((sessionId) => filesOf(sessionId)),
    );
    expect(await historiesRead(KIND, root, cacheDir)).toEqual(filesOf("live"));
    await appendFile(path.join(root, filesOf("s1")[0]!), line({ type: "update", title: "Apples" }));
    expect(await historiesRead(KIND, root, cacheDir)).toEqual([...filesOf("live"), ...filesOf("s1")]);
    const cached = await listOfNewThread(KIND, root, cacheDir);
    expect(cached).toEqual(await listAnew(KIND, root));
    expect(cached).toContainEqual(expect.objectContaining({ sessionId: "s1", title: "Apples" }));
    expect(cached).toContainEqual(expect.objectContaining({ sessionId: "live", status: "running" }));
  });

  it("is right where a session or a file of it came or went between the two", async () => {
    const [root, cacheDir] = [await newDataDirectory({ s1: 1_000, s2: 2_000 }), await temporaryFolder()];
    await listOfNewThread(KIND, root, cacheDir);
    const session = path.join(root, "tenants/t1/sessions/s1");
    await mkdir(path.join(session, "orchestration"));
    const event = { type: "error", occurredAt: 5_000, runId: "r" };
    await writeFile(path.join(session, "orchestration/events.jsonl"), line(event));
    expect(await listOfNewThread(KIND, root, cacheDir)).toEqual([
      expect.objectContaining({ sessionId: "s1", status: "error" }),
      expect.objectContaining({ sessionId: "s2", status: "idle" }),
    ]);
    await rm(path.join(root, "tenants/t1/sessions/s2"), { recursive: true });
    expect(await listOfNewThread(KIND, root, cacheDir)).toEqual([
      expect.objectContaining({ sessionId: "s1" }),
    ]);
  });
});
