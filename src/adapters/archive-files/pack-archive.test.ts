import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { allOf, linesOf } from "../../../test/support/archive.js";
import { ArchiveError } from "../../application/errors.js";
import { BLOCK, PACKING } from "../archive/packed-format.js";
import { escapeBytes, unescapeBytes, unpackText } from "../archive/packed-text.js";
import { unpackArchive } from "../archive/unpack-archive.js";
import { packArchive } from "./pack-archive.js";

async function packed(lines: readonly string[]): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const bytes of packArchive(linesOf(lines))) pieces.push(bytes);
  return Buffer.concat(pieces);
}

/** Decodes the bytes of a file as a browser does, and unpacks the result. */
const readInBrowser = async (bytes: Uint8Array, charset = "windows-1252") =>
  allOf(unpackArchive([unpackText(new TextDecoder(charset).decode(bytes))]));

/** Numbers that look as if they were random, the same each time. */
function randomly(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % most;
  };
}

const PIECES = [
  '{"a":"',
  "é",
  "𝄞",
  "\\n",
  '\\"',
  "x",
  "\u2028",
  '"}',
  "the same words as before, again and again ",
];

/** Returns a line of pieces; some of them are from earlier lines, also as quoted in JSON text. */
function lineOf(random: (most: number) => number, before: readonly string[]): string {
  const pieces = Array.from({ length: random(40) }, () =>
    random(3) === 0 && before.length > 0
      ? quotedOrNot(firstOf(before[random(before.length)]!, 300), random(2) === 0)
      : PIECES[random(PIECES.length)]!,
  );
  return firstOf(pieces.join(""), 3_000);
}

const quotedOrNot = (text: string, isQuoted: boolean) =>
  isQuoted ? JSON.stringify(text).slice(1, -1) : text;

/** Complete characters. */
const firstOf = (text: string, most: number) => [...text].slice(0, most).join("");

describe("what is packed", () => {
  test.each([1, 2, 3])("is unpacked as it was, by bytes and by a browser's text: sample %i", async (seed) => {
    const random = randomly(seed);
    const lines: string[] = [];
    for (let i = 0; i < 400; i++) lines.push(lineOf(random, lines).replace(/^$/, "{}"));
    const bytes = await packed(lines);
    expect(await readInBrowser(bytes)).toEqual(lines);
    expect(await allOf(unpackArchive([unescapeBytes(bytes)]))).toEqual(lines);
  });

  test("may have lines longer than a block", async () => {
    const long = `{"a":"${"ö😀 not alike".repeat(BLOCK / 10)}"}`;
    const lines = ["short", long, "short", `${long} `];
    expect(await readInBrowser(await packed(lines))).toEqual(lines);
  });

  test("says a text once, wherever it stands and however it is quoted", async () => {
    const random = randomly(7);
    const words = Array.from(
      { length: 4_000 },
      () => `${random(1e9).toString(36)}${random(3) === 0 ? "\n" : " "}`,
    );
    const text = JSON.stringify(words.join(""));
    const other = JSON.stringify(Array.from({ length: 8_000 }, () => random(1e9).toString(36)).join(" "));
    const once = (await packed([text, other])).length;
    const twice = (await packed([text, other, `{"again":${text},"inside":${JSON.stringify(text)}}`])).length;
    expect(twice / once).toBeLessThan(1.01);
    expect(gzipSync([text, other, text].join("\n"), { level: 9 }).length / once).toBeGreaterThan(1.3);
  });

  test("says of records that are alike little more than their ids", async () => {
    const random = randomly(5);
    const high = () => Math.floor(random(2 ** 32) / 2 ** 16);
    const id = () => Array.from({ length: 8 }, () => high().toString(16).padStart(4, "0")).join("");
    const kinds = Array.from({ length: 6 }, () => [id() + id() + id(), id() + id()] as const);
    const lines = Array.from({ length: 3_000 }, (_, i) => {
      const [before, behind] = kinds[high() % kinds.length]!;
      return `{"kind":"${before}","id":"${id()}","behind":"${behind}","sequence":${i}}`;
    });
    expect((await packed(lines)).length / (lines.length * 16)).toBeLessThan(1.4);
  });

  test("holds no byte that HTML would change", async () => {
    const every = Uint8Array.from({ length: 512 }, (_, i) => i);
    const escaped = escapeBytes(every);
    expect([...escaped].filter((byte) => [0x00, 0x0a, 0x0d, 0x3c].includes(byte))).toEqual([]);
    expect(unescapeBytes(escaped)).toEqual(every);
    expect(unpackText(new TextDecoder("windows-1252").decode(escaped))).toEqual(every);
  });
});

describe("what was changed", () => {
  const lines = Array.from({ length: 60 }, (_, i) => `{"line":${i},"text":"${"word ".repeat(i)}"}`);

  test("is refused, whichever byte it was", async () => {
    const bytes = await packed(lines);
    for (let at = 0; at < bytes.length; at += 7) {
      const other = Uint8Array.from(bytes);
      other[at]! ^= 1 << (at % 8);
      const refused = readInBrowser(other).then(
        (read) => expect(read, `byte ${at}`).toEqual(lines), // of gzip's header not all is checked
        (error: unknown) => expect(error).toBeInstanceOf(ArchiveError),
      );
      await refused;
    }
  });

  test.each<[string, (bytes: Buffer) => Promise<unknown>]>([
    ["cut off", (bytes) => readInBrowser(bytes.subarray(0, -20))],
    ["read in another encoding", (bytes) => readInBrowser(bytes, "utf-8")],
    ["saved in another encoding", (bytes) => readInBrowser(Buffer.from(bytes.toString("latin1"), "utf8"))],
    ["something else", async () => readInBrowser(escapeBytes(gzipSync("hello")))],
    [
      "a later version",
      async (bytes) => readInBrowser(escapeBytes(repacked(bytes, (raw) => raw.fill(PACKING + 1, 0, 1)))),
    ],
    [
      "a block of an impossible length",
      async (bytes) => readInBrowser(escapeBytes(repacked(bytes, (raw) => raw.fill(255, 1, 9)))),
    ],
    ["a copy of what is not there", async (bytes) => readInBrowser(escapeBytes(repacked(bytes, farCopy)))],
    ["a copy that is cut off", async (bytes) => readInBrowser(escapeBytes(repacked(bytes, halfCopy)))],
  ])("is refused: %s", async (_name, read) => {
    const reading = read(await packed(lines));
    await expect(reading).rejects.toBeInstanceOf(ArchiveError);
    await expect(reading).rejects.toThrow(/is damaged|Take the file as it was written/);
  });
});

/** The same with other bytes in its gzip. */
function repacked(bytes: Buffer, change: (raw: Buffer) => Buffer): Buffer {
  return gzipSync(change(gunzipSync(unescapeBytes(bytes))));
}

/** One block that stands for five bytes: a copy of three, of what lies nine before its beginning, and two new ones. */
const farCopy = () => Buffer.from([PACKING, 5, 1, 1, 1, 2, 0, 6, 18, 97, 98]);

/** One block that stands for two bytes: a quotation mark, and the backslash of its quoted copy. */
const halfCopy = () => Buffer.from([PACKING, 2, 1, 1, 1, 1, 1, 3, 2, 0x22]);
