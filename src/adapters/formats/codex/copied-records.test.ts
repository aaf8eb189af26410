import { describe, expect, it } from "vitest";
import { lineKey } from "./copied-records.js";

function keyOf(text: string, member = "timestamp"): number {
  const bytes = Buffer.from(`before\n${text}\nbehind`);
  const length = Buffer.byteLength(text);
  const place = { number: 2, start: 7, length, isUtf8: true, problem: undefined };
  return lineKey({ bytes, from: 7, to: 7 + length, ...place }, member);
}

const line = (timestamp: string, text: string) => JSON.stringify({ timestamp, type: "item", text });

describe("the key of a line", () => {
  it("is the same for lines that differ in the text of one member alone", () => {
    expect(keyOf(line("2026-01-01T00:00:00Z", "a"))).toBe(keyOf(line("2026-02-02T10:20:30Z", "a")));
    expect(keyOf(line("now", "a"))).toBe(keyOf(line("2026-02-02T10:20:30Z", "a")));
  });

  it("is another for lines that differ in anything else", () => {
    const now = line("now", "a");
    for (const other of [line("now", "b"), line("now", "aa"), now.replace("item", "itex"), `${now} `])
      expect(keyOf(other)).not.toBe(keyOf(now));
    expect(keyOf(now, "type")).not.toBe(keyOf(line("then", "a"), "type"));
  });

  it("is that of the whole line where the member is not there, or has no end", () => {
    expect(keyOf('{"a":1}')).not.toBe(keyOf('{"a":2}'));
    expect(keyOf('{"timestamp":"a')).not.toBe(keyOf('{"timestamp":"b'));
  });

  it("is taken of both ends of a long line, and of its length", () => {
    const long = (middle: string, end = "z") =>
      line("now", `${"x".repeat(9000)}${middle}${"y".repeat(9000)}${end}`);
    expect(keyOf(long("1"))).toBe(keyOf(long("2")));
    expect(keyOf(long("1"))).not.toBe(keyOf(long("12")));
    expect(keyOf(long("1"))).not.toBe(keyOf(long("1", "w")));
  });
});
