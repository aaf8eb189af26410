import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/support/soak.js";
import { JsonLexer, type JsonVerdict } from "./json-lexer.js";

const encoder = new TextEncoder();
const MEMBERS = ["sequence", "traceId", "event"];

/** A text in separate memory, at any alignment and with quotes around it, to detect reads outside of it. */
function placed(text: string | Uint8Array): {
  readonly memory: Uint8Array;
  readonly from: number;
  readonly to: number;
} {
  const bytes = typeof text === "string" ? encoder.encode(text) : text;
  const from = 1 + (bytes.length % 4);
  const memory = new Uint8Array(bytes.length + from + 3).fill(0x22);
  memory.set(bytes, from);
  return { memory, from, to: from + bytes.length };
}

/** One lexer for all: what it read before must not show. */
const lexer = new JsonLexer(MEMBERS);

function read(text: string | Uint8Array): {
  readonly verdict: JsonVerdict;
  readonly member: (index: number) => unknown;
} {
  const { memory, from, to } = placed(text);
  const verdict = lexer.read(memory, from, to);
  return {
    verdict,
    member: (index) => {
      const start = lexer.start(index);
      if (start < 0) return undefined;
      return JSON.parse(new TextDecoder().decode(memory.subarray(start, lexer.end(index))));
    },
  };
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

/** JSON texts, valid and damaged: a character replaced, dropped or doubled, or the end cut off. */
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

describe("JsonLexer", () => {
  it("takes what JSON.parse takes, and nothing else", () => {
    fc.assert(
      fc.property(fc.oneof(texts, nearTexts), (text) => {
        expect(read(text).verdict).toBe(verdictOf(text));
      }),
      { numRuns: runs(5_000) },
    );
  });

  it("finds the members that JSON.parse finds, the last of those with one name", () => {
    const member = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant({ sequence: "inner", more: 1 }));
    const record = fc.array(fc.tuple(fc.constantFrom("sequence", "traceId", "event", "other"), member), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(record, (members) => {
        const pairs = members.map(([key, value]) => `${JSON.stringify(key)} : ${JSON.stringify(value)}`);
        const text = `{${pairs.join(",")}}`;
        const parsed = JSON.parse(text) as Record<string, unknown>;
        const tokens = read(text);
        expect(tokens.verdict).toBe("object");
        expect(MEMBERS.map((_, i) => tokens.member(i))).toStrictEqual(MEMBERS.map((name) => parsed[name]));
      }),
      { numRuns: runs(2_000) },
    );
  });

  it("reads a key that is spelled with escapes", () => {
    expect(read('{"\\u0073equence":7}').member(0)).toBe(7);
  });

  it("reads strings of any length, with what ends them at any place", () => {
    for (let length = 0; length < 80; length++) {
      const plain = "x".repeat(length);
      expect(read(`{"traceId":"${plain}"}`).member(1)).toBe(plain);
      expect(read(`{"traceId":"${plain}\\n${plain}"}`).member(1)).toBe(`${plain}\n${plain}`);
      expect(read(`{"traceId":"${plain}\n"}`).verdict).toBe("invalid");
      expect(read(`{"traceId":"${plain}`).verdict).toBe("invalid");
    }
  });

  it("reads containers that are nested deeply", () => {
    const depth = 100_000;
    expect(read(`${"[".repeat(depth)}${"]".repeat(depth)}`).verdict).toBe("value");
    expect(read(`${"[".repeat(depth)}${"]".repeat(depth - 1)}`).verdict).toBe("invalid");
  });

  it("pauses in a long text, and goes on where it was", () => {
    const text = `{"event":[${Array.from({ length: 60_000 }, (_, i) => `{"n":${i}}`).join(",")}],"sequence":5}`;
    const { memory, from, to } = placed(text);
    const steps = lexer.readInSteps(memory, from, to);
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses++;
    expect(step.value).toBe("object");
    expect(pauses).toBeGreaterThan(1);
    expect(new TextDecoder().decode(memory.subarray(lexer.start(0), lexer.end(0)))).toBe("5");
  });
});
