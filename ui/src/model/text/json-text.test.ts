import { describe, expect, it } from "vitest";
import { indentedJson } from "./json-text.js";

const value = {
  name: 'with "quotes", {braces} and \\ [brackets]',
  empty: [{}, []],
  numbers: [1, -2.5e10, true, false, null],
  deep: { deeper: { "": "x" } },
};
const line = JSON.stringify(value);

describe("indentedJson", () => {
  it("indents as the standard does", () => {
    expect(indentedJson(line)).toBe(JSON.stringify(value, null, 2));
    expect(indentedJson(` ${JSON.stringify([value, value])}\n`)).toBe(
      JSON.stringify([value, value], null, 2),
    );
  });

  it("changes no digit and no escape", () => {
    const exact = `{"id":12345678901234567890,"ratio":1.0,"text":"\\u0041\\/","filler":"${"-".repeat(60)}"}`;
    expect(indentedJson(exact)?.replace(/\n */g, "").replaceAll('": ', '":')).toBe(exact);
  });

  it("indents the beginning of a text that was cut, wherever", () => {
    for (let end = 60; end < line.length; end++) {
      const cut = indentedJson(line.slice(0, end));
      expect(cut?.replace(/\s/g, ""), String(end)).toBe(line.slice(0, end).replace(/\s/g, ""));
    }
  });

  it("leaves any other text as it is", () => {
    const rest = "and so on, ".repeat(20);
    for (const text of [
      "",
      "{}",
      '{"short":1}',
      rest,
      `[info] ${rest}`,
      `[1] ${rest}`,
      `[2024-01-01 10:00:00] ${rest}`,
      `{ ${rest} }`,
      `{"a":1} ${rest}`,
      `${line}${line}`,
      line.replaceAll("}", "]"),
      JSON.stringify(value, null, 2),
    ]) {
      expect(indentedJson(text), text.slice(0, 30)).toBeUndefined();
    }
  });

  it("grows in proportion, however hostile the text is", () => {
    expect(indentedJson("[".repeat(100_000))!.length).toBeLessThan(6_000_000);
    indentedJson(`["${'\\"'.repeat(200_000)}`);
    indentedJson(`{"${"a".repeat(400_000)}`);
    expect(indentedJson(`[${"1,".repeat(300_000)}1]`)).toBeUndefined();
  });
});
