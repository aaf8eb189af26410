import { type Reading, type TextView, viewOf } from "./text-view.js";

const LINE_BREAK = /(?<=\S)[ \t│┃|]{0,200}\r?\n[ \t>│┃|#]{0,200}(?=[^\s>│┃|#])/g;
/** No searched value is longer. */
const LONGEST_WORD = 4_096;

/** The last word of each line with the first word of the next, without the line break. A line break separates the pairs. */
export function joinedLines(text: string): TextView | undefined {
  if (!text.includes("\n")) return undefined;
  const lineBreaks: number[] = [];
  const view = viewOf(text, readings(text, lineBreaks));
  return view === undefined ? undefined : { ...view, lineBreaks };
}

function* readings(text: string, lineBreaks: number[]): Generator<Reading, void> {
  let [wordEnd, at, length] = [0, 0, 0];
  for (const { 0: lineBreak, index: start } of text.matchAll(LINE_BREAK)) {
    const end = start + lineBreak.length;
    if (start > wordEnd) {
      const wordStart = startOfWord(text, start, wordEnd);
      yield { start: wordEnd, end: wordStart, text: "\n" };
      length += wordEnd - at + 1;
      at = wordStart;
    }
    length += start - at;
    lineBreaks.push(length);
    yield { start, end, text: "" };
    at = end;
    wordEnd = endOfWord(text, end);
  }
  if (at > 0 && wordEnd < text.length) yield { start: wordEnd, end: text.length, text: "\n" };
}

function startOfWord(text: string, end: number, first: number): number {
  const lowest = Math.max(first, end - LONGEST_WORD);
  let start = end;
  while (start > lowest && !isSpace(text.charCodeAt(start - 1))) start--;
  return start;
}

function endOfWord(text: string, start: number): number {
  const highest = Math.min(text.length, start + LONGEST_WORD);
  let end = start;
  while (end < highest && !isSpace(text.charCodeAt(end))) end++;
  return end;
}

const isSpace = (char: number) => char <= 32 || char === 0xa0;
