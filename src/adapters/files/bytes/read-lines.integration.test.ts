import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { runs } from "../../../../test/support/soak.js";
import { runToEnd } from "../../../domain/lists/run-to-end.js";
import { eachLine, type Line } from "./line.js";
import { readLines } from "./read-lines.js";

const folder = mkdtempSync(path.join(tmpdir(), "read-lines-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const textOf = ({ bytes, from, to }: Line) =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(from, to));

/** The lines of a file with this content: where each starts, and its text. */
function linesOf(content: string | Uint8Array, range: { from?: number; line?: number } = {}) {
  const file = path.join(folder, "file.jsonl");
  writeFileSync(file, content);
  const descriptor = openSync(file, "r");
  try {
    const lines: (readonly [number: number, start: number, text: string])[] = [];
    const { from = 0, line = 1 } = range;
    const to = Buffer.byteLength(content);
    const { tail, ...end } = runToEnd(
      readLines(descriptor, { from, to, line }, (each) =>
        lines.push([each.number, each.start, textOf(each)]),
      ),
    );
    return { lines, tail: tail && textOf(tail), ...end };
  } finally {
    closeSync(descriptor);
  }
}

describe("readLines", () => {
  it("gives lines without the white space around them, counts blank ones, and keeps the last one apart", () => {
    expect(linesOf('{"a":1}\n\n \t\r\n  {"b":2} \r\n{"c"')).toEqual({
      lines: [
        [1, 0, '{"a":1}'],
        [4, 15, '{"b":2}'],
      ],
      tail: '{"c"',
      offset: 25,
      line: 5,
      isComplete: true,
    });
  });

  it("passes over a byte order mark at the beginning of a file, and nowhere else", () => {
    expect(linesOf("\uFEFFa\n\uFEFFb\n").lines.map(([, , text]) => text)).toEqual(["a", "\uFEFFb"]);
    expect(linesOf("\uFEFF")).toMatchObject({ lines: [], tail: undefined });
    expect(linesOf("\uFEFFa")).toMatchObject({ lines: [], tail: "a" });
  });

  it("goes on from the start of a line", () => {
    const { lines, offset, line } = linesOf("a\nbb\nc\nd", { from: 2, line: 2 });
    expect(lines).toEqual([
      [2, 2, "bb"],
      [3, 5, "c"],
    ]);
    expect({ offset, line }).toEqual({ offset: 7, line: 4 });
  });

  it("reads lines that are longer than a chunk, and lines that lie across the border of two", () => {
    for (const length of [256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 1_000_000]) {
      const long = "x".repeat(length);
      const { lines, tail } = linesOf(`${long}\nb\n${long}\nc`);
      expect(lines.map(([, , text]) => text === long || text)).toEqual([true, "b", true]);
      expect(tail).toBe("c");
    }
  });

  it("does not hold a line of more than 64 MiB, and reports it", () => {
    const content = Buffer.alloc(65 * 1024 * 1024, "x");
    content.write("a\n", 0);
    content.write("\nb\n", content.length - 3);
    const file = path.join(folder, "long.jsonl");
    writeFileSync(file, content);
    const descriptor = openSync(file, "r");
    const lines: (readonly [number, string | undefined])[] = [];
    runToEnd(
      readLines(descriptor, { from: 0, to: content.length, line: 1 }, ({ number, problem }) =>
        lines.push([number, problem]),
      ),
    );
    closeSync(descriptor);
    expect(lines).toEqual([
      [1, undefined],
      [2, "is longer than 64 MiB"],
      [3, undefined],
    ]);
  });

  it("stops at the end that was looked up, whatever was added since, and where a file was cut", () => {
    const file = path.join(folder, "grown.jsonl");
    writeFileSync(file, "a\nb\nc\n");
    const descriptor = openSync(file, "r");
    const texts: string[] = [];
    expect(
      runToEnd(readLines(descriptor, { from: 0, to: 3, line: 1 }, (each) => texts.push(textOf(each)))),
    ).toMatchObject({ offset: 2 });
    expect(
      runToEnd(readLines(descriptor, { from: 4, to: 99, line: 3 }, (each) => texts.push(textOf(each)))),
    ).toMatchObject({ offset: 6 });
    closeSync(descriptor);
    expect(texts).toEqual(["a", "c"]);
  });

  it("gives what splitting the text gives, for any text", () => {
    const piece = fc.constantFrom("a", " ", "\t", "\r", "\n", "\n", "é", "\uFEFF", "{}", "x".repeat(300_000));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const content = pieces.join("");
        const { lines, tail } = linesOf(content);
        const split: (readonly [number, number, string])[] = [];
        eachLine({ from: 0, bytes: new TextEncoder().encode(content) }, (each) =>
          split.push([each.number, each.start, textOf(each)]),
        );
        const read = [
          ...lines.map(([, start, text]) => [start, text]),
          ...(tail === undefined ? [] : [[split.at(-1)![1], tail]]),
        ];
        expect(read).toEqual(split.map(([, start, text]) => [start, text]));
      }),
      { numRuns: runs(100) },
    );
  });
});
