import { stripVTControlCharacters } from "node:util";

/** Characters that fill two columns of a terminal: East Asian wide and fullwidth characters (UAX #11), and emoji. */
const WIDE =
  /^[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const ASCII = /^[\x20-\x7e]*$/;
/** The form of `visibleText` for a hidden character, which a cut must not split. */
const ESCAPE = /(\\u\{[\da-f]{1,6}\})/;

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

function* partsOf(text: string): Generator<string, void> {
  for (const [i, piece] of text.split(ESCAPE).entries()) {
    if (i % 2 === 1) yield piece;
    else for (const { segment } of GRAPHEMES.segment(piece)) yield segment;
  }
}

function partWidth(part: string): number {
  if (ASCII.test(part)) return part.length;
  if (NO_WIDTH.test(part)) return 0;
  return WIDE.test(part) ? 2 : 1;
}

export function widthOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (ASCII.test(plain)) return plain.length;
  let width = 0;
  for (const part of partsOf(plain)) width += partWidth(part);
  return width;
}

export function cutEnd(text: string, width: number): string {
  const head: string[] = [];
  let headWidth = 0;
  let fitting = 0;
  for (const part of partsOf(text)) {
    headWidth += partWidth(part);
    if (headWidth > width) return `${head.slice(0, fitting).join("").trimEnd()}…`;
    head.push(part);
    if (headWidth < width) fitting = head.length;
  }
  return text;
}

/** Retains both ends: names that begin alike often differ at their ends. */
export function cutMiddle(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const parts = [...partsOf(text)];
  const tail: string[] = [];
  let tailWidth = 0;
  for (const part of parts.toReversed()) {
    if (tailWidth + partWidth(part) > Math.floor((width - 1) / 2)) break;
    tail.unshift(part);
    tailWidth += partWidth(part);
  }
  return cutEnd(parts.slice(0, parts.length - tail.length).join(""), width - tailWidth) + tail.join("");
}

/**
 * Breaks lines at spaces only.
 * @param hanging indentation of the rest of a broken line
 */
export function wrapped(text: string, width: number, hanging = 4): string {
  return text
    .split("\n")
    .map((line) => wrappedLine(line, width, hanging))
    .join("\n");
}

function wrappedLine(line: string, width: number, hanging: number): string {
  if (widthOf(line) <= width) return line;
  const words = line.match(/\s*\S+/g) ?? [];
  const indent = " ".repeat(/^ */.exec(line)![0].length + hanging);
  const lines: string[] = [];
  let current = "";
  for (const word of words) {
    if (current !== "" && widthOf(current) + widthOf(word) > width) {
      lines.push(current);
      current = indent + word.trimStart();
    } else current += word;
  }
  return [...lines, current].join("\n");
}
