import { renameSync, rmSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { SourceChangedError } from "../../src/advanced.js";
import type { InspectorDataSource, RecordStream } from "../../src/index.js";
import { messagesOf, traceOf } from "../support/snapshots.js";
import { lines, newProjects, openHistories, userRecord } from "./support/projects.js";

const MANY = 3_000;

const prompts = (count: number, letter: string) =>
  Array.from({ length: count }, (_, i) => lines(userRecord(i + 1, i, letter.repeat(60)))).join("");

function withOtherLines(text: string): string {
  const all = text.split("\n").slice(0, -1);
  const [head, tail] = [all.slice(0, 50), all.slice(-50)].map((part) => `${part.join("\n")}\n`);
  const inner = text.length - head!.length - tail!.length;
  const empty = lines(userRecord(9_000_000, 100, ""));
  return head + lines(userRecord(9_000_000, 100, "z".repeat(inner - empty.length))) + tail;
}

async function session(text: string) {
  const root = await newProjects({ "p/s.jsonl": text });
  const source = openHistories(root);
  return { root, file: path.join(root, "p/s.jsonl"), source };
}

async function expectTruth(source: InspectorDataSource, root: string): Promise<void> {
  const anew = openHistories(root);
  expect(await source.loadMessages("p", "s")).toEqual(await anew.loadMessages("p", "s"));
  expect(await source.loadTraceEnvelopes("p", "s")).toEqual(await anew.loadTraceEnvelopes("p", "s"));
  expect(await source.listSessions()).toEqual(await anew.listSessions());
}

async function readAll(source: InspectorDataSource): Promise<void> {
  await source.loadMessages("p", "s");
  await source.loadTraceEnvelopes("p", "s");
  await source.listSessions();
}

async function readOn(batches: AsyncIterator<unknown>): Promise<void> {
  while (!(await batches.next()).done);
}

describe("what is answered of a history that was", () => {
  it("written over in place by a longer one, with a line end where the old one ended and the same bytes before it", async () => {
    const end = lines(userRecord(9, 9, "e".repeat(200)));
    const first = lines(userRecord(1, 0, "One."), userRecord(2, 1, "Two."));
    const { root, file, source } = await session(first + end);
    await readAll(source);
    const room = first.length - lines(userRecord(3, 0, "")).length;
    writeFileSync(file, lines(userRecord(3, 0, "x".repeat(room))) + end + lines(userRecord(4, 20, "More.")));
    await expectTruth(source, root);
  });

  it("written over by as many bytes, with its modification time set back", async () => {
    const { root, file, source } = await session(prompts(1, "a"));
    utimesSync(file, 1, 1);
    await readAll(source);
    writeFileSync(file, prompts(1, "b"));
    utimesSync(file, 1, 1);
    await expectTruth(source, root);
  });

  it("deleted, when another one was given its number", async () => {
    const { root, file, source } = await session(prompts(1, "a"));
    utimesSync(file, 1, 1);
    await readAll(source);
    const { ino } = statSync(file);
    for (let i = 0; i < 20; i++) {
      rmSync(file);
      writeFileSync(file, prompts(1, "b"));
      utimesSync(file, 1, 1);
      if (statSync(file).ino === ino) break;
    }
    await expectTruth(source, root);
  });

  it("written over between its beginning and its end: it is told, and read anew", async () => {
    const text = prompts(MANY, "a");
    const { root, file, source } = await session(text);
    const [messages, trace] = [await messagesOf(source, "p", "s"), await traceOf(source, "p", "s")];
    writeFileSync(file, withOtherLines(text) + lines(userRecord(5_000, 5_000, "More.")));
    for (const stream of [messages, trace])
      await expect(readOn(batchesOf(stream))).rejects.toBeInstanceOf(SourceChangedError);
    await expectTruth(source, root);
  });
});

describe("a list breaks off, and the next answer is right, where the history meanwhile is", () => {
  const changes: Readonly<Record<string, (file: string) => void>> = {
    "written over in place by as many bytes": (file) => writeFileSync(file, prompts(MANY, "b")),
    "written over in place by more": (file) => writeFileSync(file, prompts(MANY + 1, "b")),
    cut: (file) => truncateSync(file, prompts(1, "a").length),
    "replaced by another one": (file) => {
      writeFileSync(`${file}.new`, prompts(MANY, "b"));
      renameSync(`${file}.new`, file);
    },
    deleted: (file) => rmSync(file),
  };

  it.each(Object.entries(changes))("%s", async (_name, change) => {
    const { root, file, source } = await session(prompts(MANY, "a"));
    const lists = [await messagesOf(source, "p", "s"), await traceOf(source, "p", "s")].map(batchesOf);
    for (const batches of lists) expect((await batches.next()).done).toBe(false);
    change(file);
    for (const batches of lists) await expect(readOn(batches)).rejects.toBeInstanceOf(SourceChangedError);
    await expectTruth(source, root);
  });
});

describe("what was read inside, and lies outside now", () => {
  it("is not shown any more: a folder that was moved out, with a link in its place", async () => {
    const outside = await newProjects();
    const root = await newProjects({
      "p/s.jsonl": lines(userRecord(1, 0, "Own.")),
      "p/s/subagents/agent-a.jsonl": lines(userRecord(2, 1, "Moved.", { agentId: "a" })),
    });
    const source = openHistories(root);
    const trace = async () => JSON.stringify(await source.loadTraceEnvelopes("p", "s"));
    expect(await trace()).toContain("Moved.");
    renameSync(path.join(root, "p/s/subagents"), path.join(outside, "subagents"));
    symlinkSync(path.join(outside, "subagents"), path.join(root, "p/s/subagents"));
    expect(await trace()).not.toContain("Moved.");
    await expectTruth(source, root);
  });

  it("is not shown any more: a folder with all of its parents", async () => {
    const outside = await newProjects();
    const root = await newProjects({
      "p/s.jsonl": lines(userRecord(1, 0, "Own.")),
      "p/s/subagents/agent-a.jsonl": lines(userRecord(2, 1, "Moved.", { agentId: "a" })),
    });
    const source = openHistories(root);
    await readAll(source);
    renameSync(path.join(root, "p"), path.join(outside, "p"));
    symlinkSync(path.join(outside, "p"), path.join(root, "p"));
    expect(await source.listSessions()).toEqual([]);
    expect(await source.loadTraceEnvelopes("p", "s")).toEqual([]);
    expect(await source.openSession!("p", "s")).toBeUndefined();
  });

  it("is not shown any more: a project that another folder took the place of, with files of the same names", async () => {
    const root = await newProjects({
      "p/s.jsonl": lines(userRecord(1, 0, "One.")),
      "p/t.jsonl": lines(userRecord(1, 0, "One."), userRecord(2, 1, "Forked.")),
    });
    const source = openHistories(root);
    await readAll(source);
    const { atime, mtime } = statSync(path.join(root, "p"));
    await mkdir(path.join(root, "next"));
    writeFileSync(path.join(root, "next/s.jsonl"), lines(userRecord(5, 0, "Other.")));
    writeFileSync(path.join(root, "next/u.jsonl"), lines(userRecord(6, 0, "New.")));
    rmSync(path.join(root, "p"), { recursive: true });
    renameSync(path.join(root, "next"), path.join(root, "p"));
    utimesSync(path.join(root, "p"), atime, mtime);
    expect(await source.openSession!("p", "t")).toBeUndefined();
    await expectTruth(source, root);
  });
});

function batchesOf(stream: RecordStream): AsyncIterator<unknown> {
  return stream.read({ from: 0, to: stream.size })[Symbol.asyncIterator]();
}
