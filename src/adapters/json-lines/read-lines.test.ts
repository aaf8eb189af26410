import fc from "fast-check";
import { expect, it } from "vitest";
import { readLines } from "./read-lines.js";
import type { ReadableFile } from "./readable-file.js";

const MEMBERS = ["traceId", "sequence", "timestamp", "event.type"];

function inMemory(bytes: Uint8Array): ReadableFile {
  return {
    identity: { device: 0, inode: 0, size: bytes.length, modifiedAt: 0 },
    async read(into, offset, length, position) {
      const part = bytes.subarray(position, position + length);
      into.set(part, offset);
      return { bytesRead: part.length };
    },
    close: async () => undefined,
  };
}

/** What is said of each line of a file, which is parsed where it is not longer than that, and scanned otherwise. */
async function told(bytes: Uint8Array, parsesUpTo: number) {
  const lines: unknown[] = [];
  const range = { from: 0, to: bytes.length, line: 1 };
  const wanted = { members: MEMBERS, onlyMembers: true, parsesUpTo };
  const end = await readLines(
    inMemory(bytes),
    range,
    ({ number, start, length, problem, members }) => {
      const isRecord = problem === undefined;
      const texts = isRecord && [0, 1, 2, 3].map((path) => members!.text(path));
      const keys = isRecord && [members!.sequence(1), members!.instant(2)];
      lines.push([number, start, length, problem, texts, keys]);
    },
    wanted,
  );
  const { offset, line, tail } = end;
  return { lines, offset, line, tail: tail && [tail.number, tail.start, tail.length, tail.members?.text(0)] };
}

const value = fc.oneof(
  fc.constantFrom("main", "sub-agent", "2026-01-15T12:00:00.000Z", "2026-02-30", "Infinity", "\ufeff", ""),
  fc.string({ minLength: 80, maxLength: 700, unit: fc.constantFrom("a", "é", "\u0001", "\\", "😀") }),
  fc.nat(),
  fc.double(),
  fc.jsonValue({ maxDepth: 2 }),
);
const record = fc
  .dictionary(
    fc.constantFrom("traceId", "sequence", "timestamp", "event", "type", "__proto__", "more"),
    value,
  )
  .map((object) => JSON.stringify(object));
const event = fc.record({ event: fc.record({ type: value }) }).map((object) => JSON.stringify(object));
const twice = fc.tuple(record, record).map(([one, two]) => `${one.slice(0, -1)},${two.slice(1)}`);
const line = fc.oneof(
  record,
  event,
  twice,
  fc.constantFrom(
    "",
    "  ",
    "[1]",
    "7",
    "null",
    '{"traceId":"ma',
    "\ufeff{}",
    "{}\r",
    " \t{} ",
    '{"sequence":1e3}',
  ),
  fc.string(),
);

it("says the same of a line that it parses as of one that it scans", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 8 }),
      fc.constantFrom("\n", "\r\n"),
      async (lines, ending) => {
        const bytes = new TextEncoder().encode(lines.join(ending));
        expect(await told(bytes, bytes.length)).toEqual(await told(bytes, -1));
      },
    ),
    { numRuns: 2_000 },
  );
});

it("says the same of bytes that are no UTF-8", async () => {
  const bytes = Uint8Array.from([
    0x7b, 0x22, 0xff, 0xc3, 0x22, 0x3a, 0x31, 0x7d, 0x0a, 0xfe, 0x0a, 0x7b, 0x7d, 0x0a,
  ]);
  expect(await told(bytes, bytes.length)).toEqual(await told(bytes, -1));
});
