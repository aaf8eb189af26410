import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { runToEnd } from "../../../domain/lists/run-to-end.js";
import { parseLine } from "./parse-line.js";
import { closeMembers, readElements } from "./read-elements.js";

const folder = mkdtempSync(path.join(tmpdir(), "read-elements-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Read {
  readonly number: number;
  readonly record: unknown;
  readonly problem: string | undefined;
  /** Text at its offset of the file. */
  readonly text: string;
}

function read(content: string | Buffer, member = "items"): Read[] {
  const file = path.join(folder, "document.json");
  const bytes = Buffer.from(content as string);
  writeFileSync(file, bytes);
  const descriptor = openSync(file, "r");
  const elements: Read[] = [];
  try {
    runToEnd(
      readElements(descriptor, { to: bytes.length, member }, (line) => {
        const { record, problem } = parseLine(line);
        const text = Buffer.from(bytes.subarray(line.start, line.start + line.length)).toString();
        elements.push({ number: line.number, record, problem, text });
      }),
    );
  } finally {
    closeSync(descriptor);
  }
  return elements;
}

const records = (content: string | Buffer, member?: string) =>
  read(content, member).map(({ record }) => record);
const problems = (content: string) => read(content).flatMap(({ problem }) => problem ?? []);
const CUT = expect.stringContaining("cut off");

describe("A document whose records are the elements of an array", () => {
  it("gives each element, and the members around the array, as records with their places", () => {
    expect(read('{"id": 1, "items": [{"a": 1}, {"b": [2]}], "end": true}')).toEqual([
      { number: 1, record: { id: 1 }, problem: undefined, text: '{"id": 1,' },
      { number: 2, record: { a: 1 }, problem: undefined, text: '{"a": 1}' },
      { number: 3, record: { b: [2] }, problem: undefined, text: '{"b": [2]}' },
      { number: 4, record: { end: true }, problem: undefined, text: ', "end": true}' },
    ]);
  });

  it.each([
    ["on one line", '[{"a":1},{"b":[2]}]'],
    ["on many lines", '\uFEFF\n[\n  {\n    "a": 1\n  },\n  { "b": [2] }\n]\n'],
    ["as several arrays", '[{"a":1}]\n[]\n[{"b":[2]}]\n'],
  ])("may be that array itself: %s", (_, content) => {
    expect(records(content, "")).toEqual([{ a: 1 }, { b: [2] }]);
  });

  it("may be an array that is cut off, or lie in front of something else", () => {
    const elements = (content: string) => read(content, "").map(({ record, problem }) => record ?? problem);
    expect(elements('[{"a":1},{"b":')).toEqual([{ a: 1 }, CUT]);
    expect(elements('[{"a":1},')).toEqual([{ a: 1 }, CUT]);
    expect(elements('[{"a":1}] x')).toEqual([{ a: 1 }, "is not valid JSON"]);
    expect(elements('{"a":1}')).toEqual([{ a: 1 }]);
  });

  it.each([
    ["the array first", '{"items":[{"a":1}],"x":1}', [{ a: 1 }, { x: 1 }]],
    ["the array last", '{"x":1,"items":[{"a":1}]}', [{ x: 1 }, { a: 1 }]],
    ["the array alone", '{"items":[{"a":1}]}', [{ a: 1 }]],
    ["an empty array", '{"x":1,"items":[]}', [{ x: 1 }]],
    ["an empty array between members", '{"x":1,"items":[ ],"y":2}', [{ x: 1 }, { y: 2 }]],
    ["no array", '{"x":1,"y":[{"items":[{"a":1}]}]}', [{ x: 1, y: [{ items: [{ a: 1 }] }] }]],
    ["no array under the name", '{"items":{"a":[1]}}', [{ items: { a: [1] } }]],
    ["nothing at all", "{}", [{}]],
    ["a name with escapes", '{"it\\u0065ms":[{"a":1}]}', [{ a: 1 }]],
    [
      "brackets in strings",
      '{"]":"[{","items":[{"a":"]}\\"[{,"},{"b":"\\\\"}]}',
      [{ "]": "[{" }, { a: ']}"[{,' }, { b: "\\" }],
    ],
    ["nested arrays", '{"items":[{"items":[{"items":[[]]}]},{}]}', [{ items: [{ items: [[]] }] }, {}]],
    [
      "a name that is a value, too",
      '{"x":"items","y":["items"],"items":[{"a":1}]}',
      [{ x: "items", y: ["items"] }, { a: 1 }],
    ],
    ["text of all scripts", '{"x":"日本","items":[{"é":"🦜"}]}', [{ x: "日本" }, { é: "🦜" }]],
    [
      "line ends and spaces",
      '\n {\r\n"x" :1 ,\n "items"\n:\t[ {"a":1}\n, {"b":1} ]\n}\n ',
      [{ x: 1 }, { a: 1 }, { b: 1 }],
    ],
    ["a byte order mark", '\ufeff{"items":[{"a":1}]}', [{ a: 1 }]],
    [
      "a second array of the name",
      '{"items":[{"a":1}],"items":[{"b":1}]}',
      [{ a: 1 }, { items: [{ b: 1 }] }],
    ],
  ])("is read with %s", (_name, text, expected) => {
    expect(records(text)).toEqual(expected);
    expect(problems(text)).toEqual([]);
  });

  it("gives elements that are no objects, and those that are no JSON, each with its problem", () => {
    expect(problems('{"items":[1,"a",{"a":},[2],{"b":1}]}')).toEqual([
      "is valid JSON, but no object",
      "is valid JSON, but no object",
      "is not valid JSON",
      "is valid JSON, but no object",
    ]);
    expect(records('{"items":[{"a":},{"b":1}]}')).toEqual([undefined, { b: 1 }]);
  });

  it.each([
    ["[1]", ["is valid JSON, but no object"]],
    ["null", ["is valid JSON, but no object"]],
    ["no JSON", ["is not valid JSON"]],
    ["", []],
    [" \n ", []],
    ['{"items":[]} more', ["is not valid JSON"]],
  ])("reports %j", (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  it("gives of a document that is cut off the elements that are whole, and says that it is", () => {
    const text = '{"x":1,"items":[{"a":1},{"b":[1,2]}],"y":1}';
    expect(problems(text)).toEqual([]);
    const complete: unknown[] = [{ x: 1 }, { a: 1 }, { b: [1, 2] }];
    for (let length = 1; length < text.length; length++) {
      const elements = read(text.slice(0, length));
      expect(elements.at(-1)!.problem).toEqual(CUT);
      const records = elements.flatMap(({ record }) => (record === undefined ? [] : [record]));
      expect(records).toEqual(complete.slice(0, records.length));
      expect(records.length >= 2).toBe(length >= text.indexOf(",{"));
    }
  });

  it("reads what lies across the borders of chunks", () => {
    const chunk = 256 * 1024;
    for (const shift of [-3, -2, -1, 0, 1, 2, 3]) {
      const filler = "é".repeat(chunk / 2 - 20);
      const before = `{"x":"${filler}${" ".repeat(30 + shift)}","items":[`;
      const long = { a: `\\"]}🦜${"x".repeat(chunk * 2 + shift)}`, b: [[{}]] };
      const text = `${before}{"c":"\\\\"},${JSON.stringify(long)},{"d":1}],"y":"${filler}"}`;
      const [head, c, read, d, tail] = records(text) as Record<string, unknown>[];
      expect(head!.x).toHaveLength(filler.length + 30 + shift);
      expect([c, read, d]).toEqual([{ c: "\\" }, long, { d: 1 }]);
      expect(tail).toEqual({ y: filler });
    }
  });

  it("reports an element that is too long to be held, and reads those around it", { timeout: 60_000 }, () => {
    const long = Buffer.alloc(65 * 1024 * 1024, "x");
    const [open, close] = ['{"items":[{"a":1},{"b":"', '"},{"c":1}],"y":1}'].map((text) => Buffer.from(text));
    const file = path.join(folder, "long.json");
    writeFileSync(file, Buffer.concat([open!, long, close!]));
    const descriptor = openSync(file, "r");
    const elements: unknown[] = [];
    const to = open!.length + long.length + close!.length;
    runToEnd(
      readElements(descriptor, { to, member: "items" }, (line) =>
        elements.push(line.problem ?? parseLine(line).record),
      ),
    );
    closeSync(descriptor);
    expect(elements).toEqual([{ a: 1 }, "is longer than 64 MiB", { c: 1 }, { y: 1 }]);
  });

  it("finds the array behind members that are too long to be held", { timeout: 60_000 }, () => {
    const long = "x".repeat(65 * 1024 * 1024);
    expect(
      read(`{"x":"${long}","y":1,"items":[{"a":1}]}`).map(({ record, problem }) => record ?? problem),
    ).toEqual(["is longer than 64 MiB", { a: 1 }]);
  });

  it("holds for any document, however it is written", () => {
    const members = fc.dictionary(
      fc.string().filter((name) => name !== "items" && name !== "__proto__"),
      fc.jsonValue(),
    );
    const elements = fc.array(
      fc.dictionary(
        fc.string().filter((name) => name !== "__proto__"),
        fc.jsonValue(),
      ),
    );
    fc.assert(
      fc.property(
        members,
        elements,
        members,
        fc.constantFrom(undefined, 1, "\t"),
        (before, items, after, indent) => {
          const behind = Object.fromEntries(Object.entries(after).filter(([name]) => !(name in before)));
          // Names that are integers come first, wherever they are put.
          const isInteger = (name: string) => /^\d+$/.test(name);
          fc.pre(!Object.keys(behind).some(isInteger));
          const text = JSON.stringify({ ...before, items, ...behind }, undefined, indent);
          const expected = [before, ...items, behind].filter(
            (record, i) => (i > 0 && i <= items.length) || Object.keys(record).length > 0,
          );
          expect(records(text)).toEqual(JSON.parse(JSON.stringify(expected)));
        },
      ),
    );
  });
});

describe("Members around an array", () => {
  it("are an object of the same length", () => {
    const close = (text: string) => {
      const bytes = Buffer.from(text);
      closeMembers(bytes, 0, bytes.length);
      return bytes.toString();
    };
    expect(close('{"a":1,')).toBe('{"a":1}');
    expect(close(',"b":2}')).toBe('{"b":2}');
    expect(close('{"a":1}')).toBe('{"a":1}');
  });
});
