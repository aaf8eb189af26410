import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runToEnd } from "../../../domain/lists/run-to-end.js";
import { firstRecord, readShort, shortRecord } from "./read-short.js";

const root = mkdtempSync(path.join(tmpdir(), "read-short-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function fileOf(text: string): string {
  const file = path.join(root, "file");
  writeFileSync(file, text);
  return file;
}

describe("A short file", () => {
  it("is its text, up to a length", () => {
    expect(readShort(root, fileOf("héllo"), 3)).toBe("hé");
    expect(readShort(root, fileOf(""), 3)).toBe("");
    expect(readShort(root, path.join(root, "nothing"), 3)).toBeUndefined();
  });

  it("is not read where it lies elsewhere", () => {
    const inside = mkdtempSync(path.join(root, "inside-"));
    fileOf("secret");
    symlinkSync("../file", path.join(inside, "link"));
    expect(readShort(root, path.join(inside, "link"), 10)).toBe("secret");
    expect(readShort(inside, path.join(inside, "link"), 10)).toBeUndefined();
  });

  it("is a record, or an empty one", () => {
    expect(shortRecord(root, fileOf('{"a":1}'), 100)).toEqual({ a: 1 });
    for (const text of ["[1]", "{", "", "null"]) expect(shortRecord(root, fileOf(text), 100)).toEqual({});
    expect(shortRecord(root, path.join(root, "nothing"), 100)).toEqual({});
  });
});

describe("The first record of a file", () => {
  it.each([
    ['{"a":1}\n{"b":1}\n', { a: 1 }],
    ['{"a":1,"items":[{"b":1}]}', { a: 1 }],
    [`{"a":1,"items":[{"b":"${"x".repeat(100_000)}"}]}`, { a: 1 }],
    ['{"items":[{"b":1}],"a":1}', { b: 1 }],
    [`{"a":"${"x".repeat(100_000)}","items":[]}`, undefined],
    ["[1]", undefined],
    ["no json", undefined],
    ["", undefined],
  ])("of lines or of a document is what it begins with", (text, expected) => {
    expect(runToEnd(firstRecord(root, fileOf(text), "items"))).toEqual(expected);
  });

  it("of none is none", () => {
    expect(runToEnd(firstRecord(root, path.join(root, "nothing"), "items"))).toBeUndefined();
  });
});
