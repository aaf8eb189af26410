import {
  appendFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ReadingTask, RunOptions } from "../../application/ports/reading-pool.js";
import { InProcessPool } from "../../application/threads/in-process-pool.js";
import { identify } from "../files/bytes/file-identities.js";
import { type FileIndex, FileIndexes } from "./file-indexes.js";
import type { IndexAnswer } from "./indexed-records.js";

/** Remembers what its tasks gave. */
class RecordingPool extends InProcessPool {
  readonly answers: (IndexAnswer | undefined)[] = [];

  override async run<Input, Output>(
    task: ReadingTask<Input, Output>,
    input: Input,
    options?: RunOptions,
  ): Promise<Output> {
    const answer = await super.run(task, input, options);
    this.answers.push(answer as IndexAnswer | undefined);
    return answer;
  }
}

let root: string;
let file: string;
let pool: RecordingPool;
let indexes: FileIndexes;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "file-indexes-"));
  file = path.join(root, "events.jsonl");
  pool = new RecordingPool();
  indexes = new FileIndexes(root, pool, 1 << 20);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const most = { records: 1_000, bytes: 1 << 20 };
const identity = () => identify(statSync(file));
const read = (fileIdentity = identity()): Promise<FileIndex | undefined> =>
  indexes.read(file, fileIdentity, { content: "envelopes", most });
const sequencesOf = (index: FileIndex | undefined) => [...index!.keys.sequences];
const envelope = (sequence: number, traceId = "t1") =>
  JSON.stringify({ traceId, sequence, timestamp: "2026-01-15T12:00:00.000Z" });

describe("FileIndexes", () => {
  it("knows where the records of a file lie, and what the merge has to know of each", async () => {
    writeFileSync(file, `${envelope(4)}\n\noops\n ${envelope(2, "t2")}\r\n`);
    const index = (await read())!;
    expect(index).toMatchObject({ size: 2, problems: [{ line: 3, reason: "is not valid JSON" }] });
    expect(index.keys.traceIds).toEqual(["t1", "t2"]);
    expect([...index.keys.traces]).toEqual([0, 1]);
    expect(sequencesOf(index)).toEqual([4, 2]);
    expect([index.starts[1], index.lengths[1]]).toEqual([envelope(4).length + 8, envelope(2).length]);
  });

  it("tells the trace of a last line without its line feed from the one before it", async () => {
    writeFileSync(file, `${envelope(0)}\n${envelope(1, "t2")}`);
    const { keys } = (await read())!;
    expect([keys.traceIds, [...keys.traces]]).toEqual([
      ["t1", "t2"],
      [0, 1],
    ]);
  });

  it("reads a file that is unchanged once, and of one that grew what was added", async () => {
    writeFileSync(file, `${envelope(0)}\n`);
    const first = await read();
    expect(await read()).toBe(first);
    expect(pool.answers).toHaveLength(1);
    appendFileSync(file, `${envelope(1, "t2")}\nnull\n${envelope(2)}\n`);
    const grown = await read();
    expect(sequencesOf(grown)).toEqual([0, 1, 2]);
    expect([...grown!.keys.traces]).toEqual([0, 1, 0]);
    expect(grown!.problems).toEqual([{ line: 3, reason: "is valid JSON, but no object" }]);
    expect(pool.answers[1]).toMatchObject({ goesOn: true, starts: { length: 2 } });
    expect(sequencesOf(first)).toEqual([0]);
  });

  it("takes a last line without a line feed where it is whole, and reads it again when the file has grown", async () => {
    writeFileSync(file, `${envelope(0)}\n${envelope(1).slice(0, 20)}`);
    expect(await read()).toMatchObject({ size: 1, problems: [] });
    appendFileSync(file, envelope(1).slice(20));
    expect(sequencesOf(await read())).toEqual([0, 1]);
    appendFileSync(file, `\n${envelope(2)}`);
    expect(sequencesOf(await read())).toEqual([0, 1, 2]);
    appendFileSync(file, " torn\n");
    expect(await read()).toMatchObject({ size: 3, problems: [{ line: 3 }] });
  });

  it("reads a file anew that was replaced, cut, or written over", async () => {
    writeFileSync(file, `${envelope(0)}\n${envelope(1)}\n`);
    await read();
    writeFileSync(`${file}.new`, `${envelope(5)}\n${envelope(6)}\n${envelope(7)}\n`);
    renameSync(`${file}.new`, file);
    expect(sequencesOf(await read())).toEqual([5, 6, 7]);
    truncateSync(file, envelope(5).length + 1);
    expect(sequencesOf(await read())).toEqual([5]);
    writeFileSync(file, `${envelope(8)}\n${envelope(9)}\n`);
    expect(sequencesOf(await read())).toEqual([8, 9]);
  });

  it("reads a file anew that was written over and kept its size and its end", async () => {
    const end = JSON.stringify({ text: "x".repeat(100) });
    writeFileSync(file, `${envelope(1)}\n${envelope(2)}\n${end}\n`);
    await read();
    writeFileSync(file, `${envelope(1).replace("}", " ")} ${envelope(2).replace("{", ",")}\n${end}\n`);
    utimesSync(file, 1, 2);
    expect(await read()).toMatchObject({ size: 2 });
  });

  it("reads nothing again for a file that was looked up before it grew, and leaves out what was added", async () => {
    writeFileSync(file, `${envelope(0)}\n`);
    const before = identity();
    appendFileSync(file, `${envelope(1)}\n`);
    await read();
    expect(sequencesOf(await read(before))).toEqual([0]);
    expect(pool.answers[1]).toMatchObject({ goesOn: true, starts: { length: 0 } });
  });

  it("lets callers that come at the same time share a reading", async () => {
    writeFileSync(file, `${envelope(0)}\n`);
    await Promise.all([read(), read(), read()]);
    expect(pool.answers.length).toBeLessThanOrEqual(2);
  });

  it("has nothing for a file that is gone, and forgets it", async () => {
    writeFileSync(file, `${envelope(0)}\n`);
    const before = identity();
    await read();
    unlinkSync(file);
    expect(await read({ ...before, size: 0 })).toBeUndefined();
    writeFileSync(file, `${envelope(3)}\n`);
    expect(sequencesOf(await read())).toEqual([3]);
  });

  it("names the first thousand lines that cannot be read, and counts the others, also while the file grows", async () => {
    writeFileSync(file, "oops\n".repeat(1_200));
    const others = (line: number, count: number) => ({
      line,
      reason: `and ${count} lines before it, cannot be read or displayed as stored either`,
    });
    expect((await read())!.problems).toHaveLength(1_001);
    appendFileSync(file, `${"oops\n".repeat(10)}${envelope(0)}\n`);
    const { problems } = (await read())!;
    expect(problems).toHaveLength(1_001);
    expect(problems.at(-1)).toEqual(others(1_210, 209));
    appendFileSync(file, `${envelope(1)}\n`);
    expect((await read())!.problems.at(-1)).toEqual(others(1_210, 209));
  });

  it("counts what an index takes besides its columns, so that thousands of small files stay within their memory", async () => {
    indexes = new FileIndexes(root, pool, 64 * 1024);
    for (let i = 0; i < 20; i++) {
      file = path.join(root, `${i}.jsonl`);
      writeFileSync(file, `${envelope(i)}\n`);
      await read();
    }
    for (let i = 19; i >= 0; i--) {
      file = path.join(root, `${i}.jsonl`);
      await read();
    }
    const readAgain = pool.answers.length - 20;
    expect(readAgain).toBeGreaterThan(10);
    expect(readAgain).toBeLessThan(20);
  });
});
