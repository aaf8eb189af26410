import { describe, expect, it } from "vitest";
import { terminalRuns } from "./terminal-text.js";

const E = "\u001b[";

describe("terminalRuns", () => {
  it("reads colours and what ends them", () => {
    expect(terminalRuns(`a ${E}1;31mb${E}22m c${E}39m d${E}42me${E}0mf`)).toEqual([
      { text: "a ", style: {} },
      { text: "b", style: { bold: true, colour: "red" } },
      { text: " c", style: { bold: false, colour: "red" } },
      { text: " d", style: { bold: false } },
      { text: "e", style: { bold: false, background: "green" } },
      { text: "f", style: {} },
    ]);
    expect(terminalRuns(`${E}91ma${E}mb`)).toEqual([
      { text: "a", style: { colour: "red" } },
      { text: "b", style: {} },
    ]);
  });

  it("takes other colours for the named one of their hue", () => {
    const colour = (codes: string) => terminalRuns(`${E}${codes}mx`)[0]?.style.colour;
    expect(colour("38;5;9")).toBe("red");
    expect(colour("38;5;34")).toBe("green");
    expect(colour("38;5;245")).toBe("muted");
    expect(colour("38;2;200;180;20")).toBe("yellow");
    expect(colour("38:2:20:20:230")).toBe("blue");
    expect(colour("38;2;250;250;250")).toBeUndefined();
    expect(colour("38")).toBeUndefined();
    expect(colour("38;5")).toBeUndefined();
  });

  it("leaves all other codes out", () => {
    const text = `${E}2K${E}1Aa\u001b]0;title\u0007b\u001b]8;;https://example.com\u001b\\c${E}?25l${E}99999md`;
    expect(
      terminalRuns(text)
        .map((run) => run.text)
        .join(""),
    ).toBe("abcd");
    expect(terminalRuns("no codes")).toEqual([{ text: "no codes", style: {} }]);
    expect(terminalRuns("")).toEqual([]);
  });

  it("limits the pieces, and loses no text", () => {
    const runs = terminalRuns(`${E}31mx${E}32my`.repeat(50_000));
    expect(runs.length).toBeLessThanOrEqual(2001);
    expect(runs.map(({ text }) => text).join("")).toBe("xy".repeat(50_000));
    expect(runs.at(-1)?.style).toEqual({});
  });
});
