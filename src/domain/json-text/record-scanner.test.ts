import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RecordScanner } from "./record-scanner.js";

const encoder = new TextEncoder();
const PATHS = ["sequence", "traceId", "event.type", "event"];

function scan(text: string | Uint8Array, cuts: readonly number[] = []): RecordScanner {
  const bytes = typeof text === "string" ? encoder.encode(text) : text;
  const scanner = new RecordScanner(PATHS);
  scanner.push(encoder.encode('{"sequence":9,"event":{"type":"left over"}}'), 0, 43);
  scanner.reset();
  let from = 0;
  for (const cut of [...cuts].map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b)) {
    pushPiece(scanner, bytes.subarray(from, cut));
    from = cut;
  }
  pushPiece(scanner, bytes.subarray(from));
  return scanner;
}

/** Each piece in memory of its own, and not at its beginning: nothing may be read around it. */
function pushPiece(scanner: RecordScanner, piece: Uint8Array): void {
  const offset = 1 + (piece.length % 4);
  const memory = new Uint8Array(piece.length + offset + 3).fill(0x22);
  memory.set(piece, offset);
  scanner.push(memory, offset, offset + piece.length);
}

function verdictOf(text: string): string {
  if (/^[ \t\r\n]*$/.test(text)) return "blank";
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? "object" : "value";
  } catch {
    return "invalid";
  }
}

/** JSON texts, whole and damaged: a character replaced, dropped or doubled, or the end torn off. */
const texts = fc
  .tuple(
    fc.json({ depthSize: "medium" }),
    fc.nat(),
    fc.constantFrom("keep", "tear", "drop", "swap"),
    fc.string(),
  )
  .map(([json, at, damage, other]) => {
    const i = at % (json.length + 1);
    if (damage === "tear") return json.slice(0, i);
    if (damage === "drop") return json.slice(0, i) + json.slice(i + 1);
    if (damage === "swap") return json.slice(0, i) + other + json.slice(i + 1);
    return json;
  });

/** Texts from JSON's own alphabet: nearly right more often than random text is. */
const nearTexts = fc
  .array(fc.constantFrom(...'{}[]:,"\\u0a1-+.eE \n\ttruefalsn'), { maxLength: 14 })
  .map((characters) => characters.join(""));

describe("RecordScanner", () => {
  it("takes what JSON.parse takes, and nothing else, in whatever pieces it comes", () => {
    fc.assert(
      fc.property(fc.oneof(texts, nearTexts), fc.array(fc.nat(), { maxLength: 4 }), (text, cuts) => {
        expect(scan(text, cuts).finish()).toBe(verdictOf(text));
      }),
      { numRuns: 3_000 },
    );
  });

  it("finds the members that JSON.parse finds", () => {
    const member = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant({ type: "x", more: 1 }));
    const record = fc.array(
      fc.tuple(fc.constantFrom("sequence", "traceId", "event", "other", "type"), member),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(record, fc.array(fc.nat(), { maxLength: 4 }), (members, cuts) => {
        const text = `{${members.map(([key, value]) => `${JSON.stringify(key)} : ${JSON.stringify(value)}`).join(",")}}`;
        const parsed = JSON.parse(text) as Record<string, unknown>;
        const scanner = scan(text, cuts);
        expect(scanner.finish()).toBe("object");
        const bytes = encoder.encode(text);
        const found = (path: number) =>
          scanner.start(path) < 0
            ? undefined
            : JSON.parse(new TextDecoder().decode(bytes.subarray(scanner.start(path), scanner.end(path))));
        expect(found(0)).toStrictEqual(parsed.sequence);
        expect(found(1)).toStrictEqual(parsed.traceId);
        expect(found(3)).toStrictEqual(parsed.event);
        const event = parsed.event;
        const isObject = typeof event === "object" && event !== null && !Array.isArray(event);
        expect(found(2)).toStrictEqual(isObject ? (event as Record<string, unknown>).type : undefined);
      }),
      { numRuns: 1_000 },
    );
  });

  it("keeps the bytes of a value that comes in pieces", () => {
    const scanner = scan('{"traceId":"trace-17","event":{"type":"tool.start"}}', [13, 15, 40]);
    expect(scanner.scalar(1)).toBe("trace-17");
    expect(scanner.scalar(2)).toBe("tool.start");
  });

  it("reads a key that is spelled with escapes", () => {
    expect(scan('{"\\u0073equence":7}').scalar(0)).toBe(7);
  });

  it("gives no scalar for a container, an absent member and a value past what it keeps", () => {
    const scanner = scan(`{"sequence":[1],"event":{"type":"${"x".repeat(600)}"}}`);
    expect(scanner.scalar(0)).toBeUndefined();
    expect(scanner.scalar(1)).toBeUndefined();
    expect(scanner.scalar(2)).toBeUndefined();
    expect(scanner.end(2) - scanner.start(2)).toBe(602);
  });

  it("reads a hundred thousand levels of nesting", () => {
    const depth = 100_000;
    expect(scan("[".repeat(depth) + "]".repeat(depth)).finish()).toBe("value");
    expect(scan("[".repeat(depth) + "]".repeat(depth - 1)).finish()).toBe("invalid");
  });
});
