import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { InProcessPool } from "../../../application/threads/in-process-pool.js";
import { runToEnd } from "../../../domain/lists/run-to-end.js";
import { FileIndexes } from "../../data-directory/file-indexes.js";
import { foldLines } from "../../data-directory/fold-lines.js";
import { identify } from "./file-identities.js";
import { endOfContent, type Line } from "./line.js";
import { readLines } from "./read-lines.js";

const folder = mkdtempSync(path.join(tmpdir(), "bounded-reading-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function withFile<T>(content: string | Uint8Array, use: (descriptor: number, file: string) => T): T {
  const file = path.join(folder, "file.jsonl");
  writeFileSync(file, content);
  const descriptor = openSync(file, "r");
  try {
    return use(descriptor, file);
  } finally {
    closeSync(descriptor);
  }
}

function linesOf(content: string, isEnough?: (lines: number) => boolean) {
  return withFile(content, (descriptor) => {
    const lines: string[] = [];
    const take = ({ number, problem, bytes, from, to }: Line) =>
      lines.push(`${number} ${problem ?? Buffer.from(bytes.subarray(from, to)).toString()}`);
    const range = { from: 0, to: Buffer.byteLength(content), line: 1 };
    const end = runToEnd(readLines(descriptor, range, take, isEnough && (() => isEnough(lines.length))));
    return { lines, ...end };
  });
}

const BLANK = 66 * 1024 * 1024;
const LOST = "holds NUL bytes, as a power failure leaves them: what they took the place of is missing";

describe("readLines", () => {
  it("finds the record behind more NUL bytes than it holds of a line, and says that something is missing", () => {
    const { lines, tail } = linesOf(`{"a":1}\n${"\0".repeat(BLANK)} {"a":2}\n`);
    expect(lines).toEqual(['1 {"a":1}', `2 ${LOST}`, '2 {"a":2}']);
    expect(tail).toBeUndefined();
  });

  it("counts blank lines by the million, and one of NUL bytes alone is a problem", () => {
    const { lines, line } = linesOf(`${"\n".repeat(3_000_000)}\0\0\n${" \n".repeat(3)}{}\n`);
    expect(lines).toEqual([`3000001 ${LOST}`, "3000005 {}"]);
    expect(line).toBe(3_000_006);
  });

  it("ends behind a chunk when it has enough, at the start of a line", () => {
    const record = `${JSON.stringify({ text: "x".repeat(1_000) })}\n`;
    const cut = linesOf(record.repeat(2_000), (lines) => lines >= 10);
    expect(cut.isComplete).toBe(false);
    expect(cut.lines.length).toBeLessThan(300);
    expect([cut.line, cut.offset]).toEqual([cut.lines.length + 1, cut.lines.length * record.length]);
    expect(linesOf(record.repeat(10), (lines) => lines >= 10).isComplete).toBe(true);
  });
});

describe("endOfContent", () => {
  it("lies behind the last byte that is neither white space nor NUL", () => {
    const endOf = (content: string) =>
      withFile(content, (descriptor) => runToEnd(endOfContent(descriptor, Buffer.byteLength(content))));
    expect(endOf(`{}\n${"\0".repeat(600_000)}\n`)).toBe(2);
    expect(endOf(" \n".repeat(300_000))).toBe(0);
    expect(endOf("{}")).toBe(2);
    expect(endOf("")).toBe(0);
  });
});

describe("foldLines", () => {
  const COUNT = { initial: 0, next: (count: number) => count + 1, problemOf: () => undefined };

  it("folds so many lines at a time, and goes on from there", () => {
    const record = `${JSON.stringify({ text: "x".repeat(1_000) })}\n`;
    withFile(record.repeat(1_000), (descriptor, file) => {
      const opened = { descriptor, identity: identify(statSync(file)) };
      let folded = runToEnd(foldLines(opened, undefined, COUNT, 400));
      expect(folded).toMatchObject({ isComplete: false });
      expect(folded.value).toBeLessThan(700);
      while (!folded.isComplete) folded = runToEnd(foldLines(opened, folded.end, COUNT, 400));
      expect(folded.value).toBe(1_000);
    });
  });
});

describe("FileIndexes", () => {
  const most = { records: 1_000, bytes: Number.POSITIVE_INFINITY };
  const indexOf = async (text: string, limit = most, bytes = 1 << 20) => {
    const file = path.join(folder, "indexed.jsonl");
    writeFileSync(file, text);
    const indexes = new FileIndexes(folder, new InProcessPool(), bytes);
    const wanted = { content: "envelopes", most: limit } as const;
    const read = () => indexes.read(file, identify(statSync(file)), wanted);
    return { index: (await read())!, again: (await read())! };
  };

  it("leaves out what lies behind as many records as are wanted, and says so", async () => {
    const { index } = await indexOf("{}\n".repeat(500_000));
    expect(index.size).toBeLessThan(100_000);
    expect(index.problems).toEqual([
      {
        line: index.size + 1,
        reason: `and all later lines, are skipped: only the first ${index.size} records of a file of this size are read`,
      },
    ]);
  });

  it("counts the bytes of records, and a trace of its own as more than its envelope", async () => {
    const own = Array.from({ length: 20_000 }, (_, i) => `{"traceId":"t${i}","sequence":0}\n`).join("");
    const all = { records: 25_000, bytes: Number.POSITIVE_INFINITY };
    expect((await indexOf(own, all)).index.size).toBeLessThan(20_000);
    expect((await indexOf(own, { ...all, records: 100_000 })).index.size).toBe(20_000);
    expect((await indexOf(own, { records: 100_000, bytes: 1_000 })).index.size).toBeLessThan(10_000);
  });

  it("keeps an index that is larger than the whole cache", async () => {
    const { index, again } = await indexOf("{}\n".repeat(900), most, 1);
    expect(again).toBe(index);
  });
});
