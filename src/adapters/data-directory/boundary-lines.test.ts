import { describe, expect, it } from "vitest";
import { eachBoundaryLine } from "./boundary-lines.js";

const FROM = 1_000;

/** The lines that are found in a part of a file that begins somewhere in it. */
function found(text: string): string[] {
  const lines: string[] = [];
  const bytes = new TextEncoder().encode(text);
  eachBoundaryLine({ from: FROM, bytes }, (line) => {
    lines.push(new TextDecoder().decode(line.bytes.subarray(line.from, line.to)));
    expect(
      new TextDecoder()
        .decode(bytes)
        .slice(0, line.start - FROM)
        .endsWith("\n") || line.start === FROM,
    ).toBe(true);
  });
  return lines;
}

const event = (type: string) => `{"event":{"type":"${type}"}}`;

describe("eachBoundaryLine", () => {
  it("finds the lines that may be boundaries, in their order, each once", () => {
    const lines = ["tool.end", "turn.start", "tool.end", "error", "session.start", "run_completed"].map(
      event,
    );
    const twice = '{"event":{"type":"turn.end","of":{"type":"turn.start"}}}';
    expect(found([...lines, twice].join("\n"))).toEqual([lines[1], lines[3], lines[5], twice]);
    expect(found(`${lines[1]}\n`)).toEqual([lines[1]]);
  });

  it("finds types with white space around the colon, and behind a key without a value of text", () => {
    const spaced = '{"type" :\t"turn.end"}';
    expect(found(spaced)).toEqual([spaced]);
    const later = '{"type":null,"event":{"type":"error"}}';
    expect(found(later)).toEqual([later]);
  });

  it("finds lines that spell a name with escapes", () => {
    const escaped = ['{"\\u0074ype":"turn.end"}', '{"type":"turn\\u002eend"}', '{"type":"turn\\u005Fend"}'];
    expect(found(escaped.join("\n"))).toEqual(escaped);
    expect(found('{"type":"tool.end","text":"\\u001b[31m \\u00e9 \\u003c"}')).toEqual([]);
  });

  it("passes over texts that only quote one, and a type that is cut off", () => {
    expect(found('{"type":"tool.end","text":"{\\"type\\":\\"turn.end\\"}"}')).toEqual([]);
    expect(found('{"type":"turn.e')).toEqual([]);
    expect(found('{"type":')).toEqual([]);
    expect(found("")).toEqual([]);
  });
});
