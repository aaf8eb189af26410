import { TERMINAL_CODES } from "../../../../src/domain/text/preview-text.js";

/** Names, so that each theme has a readable color. */
type TerminalColour = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "muted";

interface TerminalStyle {
  readonly colour?: TerminalColour | undefined;
  readonly background?: TerminalColour | undefined;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
}

export interface TerminalRun {
  readonly text: string;
  readonly style: TerminalStyle;
}

/** A text with more pieces is displayed without colors. */
const MAX_RUNS = 2000;

/** Black and white are the defaults of text and ground. */
const COLOURS = [undefined, "red", "green", "yellow", "blue", "magenta", "cyan", undefined] as const;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes begin with one
const RENDITION = /^(?:\u001b\[|\u009b)([\d;:]*)m$/;

/**
 * Parses terminal colors; removes all other codes.
 * @see https://ecma-international.org/publications-and-standards/standards/ecma-48/ 8.3.117, "select graphic rendition"
 * @example terminalRuns("\u001b[31mFAIL\u001b[39m") // [{ text: "FAIL", style: { colour: "red" } }]
 */
export function terminalRuns(text: string): readonly TerminalRun[] {
  const runs: TerminalRun[] = [];
  let style: TerminalStyle = {};
  let piece = "";
  let end = 0;
  for (const match of text.matchAll(TERMINAL_CODES)) {
    piece += text.slice(end, match.index);
    end = match.index + match[0].length;
    const codes = RENDITION.exec(match[0])?.[1];
    if (codes === undefined || runs.length >= MAX_RUNS) continue;
    if (piece !== "") runs.push({ text: piece, style });
    piece = "";
    style = runs.length >= MAX_RUNS ? {} : rendition(style, codes);
  }
  piece += text.slice(end);
  if (piece !== "") runs.push({ text: piece, style });
  return runs;
}

function rendition(before: TerminalStyle, codes: string): TerminalStyle {
  let style = before;
  // An empty code is 0; either sign separates parts of an extended color.
  const numbers = codes.split(/[;:]/).map(Number);
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at]!;
    if (code === 38 || code === 48) {
      const isIndexed = numbers[at + 1] === 5;
      const colour = isIndexed ? indexed(numbers[at + 2]) : nearest(numbers.slice(at + 2, at + 5));
      style = { ...style, [code === 38 ? "colour" : "background"]: colour };
      at += isIndexed ? 2 : 4;
    } else style = code === 0 ? {} : { ...style, ...changeOf(code) };
  }
  return style;
}

function changeOf(code: number): TerminalStyle {
  if (code === 1) return { bold: true };
  if (code === 2 || code === 90) return { colour: "muted" };
  if (code === 3 || code === 23) return { italic: code === 3 };
  if (code === 4 || code === 24) return { underline: code === 4 };
  if (code === 7) return { background: "muted" };
  if (code === 22) return { bold: false };
  if (code === 27 || code === 49) return { background: undefined };
  if (code === 39) return { colour: undefined };
  const decade = Math.floor(code / 10);
  if (code % 10 > 7) return {};
  if (decade === 3 || decade === 9) return { colour: COLOURS[code % 10] };
  if (decade === 4 || decade === 10) return { background: COLOURS[code % 10] ?? "muted" };
  return {};
}

/** xterm's 256 colors: 16 by name, a cube of 6 by 6 by 6, and greys. */
function indexed(index = 0): TerminalColour | undefined {
  if (index < 16) return index === 8 ? "muted" : COLOURS[index % 8];
  if (index > 231) return "muted";
  const place = index - 16;
  return nearest([Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map((level) => level * 51));
}

/** Same hue: the primary colors in the upper half of the range. */
function nearest([red = 0, green = 0, blue = 0]: readonly number[]): TerminalColour | undefined {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  if (most - least < 32) return undefined;
  const isHigh = (level: number) => (level > (most + least) / 2 ? 1 : 0);
  return COLOURS[isHigh(red) + 2 * isHigh(green) + 4 * isHigh(blue)];
}
