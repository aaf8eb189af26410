import { type Reading, type TextView, viewOf } from "./text-view.js";

/** Signs of boxes before a line break; quotations and comments have more after it. */
const BEFORE = new Set([..." \t│┃|"].map((char) => char.charCodeAt(0)));
const AFTER = new Set([...BEFORE, ...[">", "#"].map((char) => char.charCodeAt(0))]);
const LONGEST_MARGIN = 200;
/** A longer word is no value that anything here searches. */
const LONGEST_WORD = 4_096;

/**
 * The words of a text in which a line break may part a value, without the line break: the last one of each line together with the first one
 * of the next line. A line break lies between those that do not belong together.
 */
export function joinedLines(text: string): TextView | undefined {
  if (!text.includes("\n")) return undefined;
  const lineBreaks: number[] = [];
  const view = viewOf(text, readings(text, lineBreaks));
  return view === undefined ? undefined : { ...view, lineBreaks };
}

function* readings(text: string, lineBreaks: number[]): Generator<Reading, void> {
  let [wordEnd, at, length] = [0, 0, 0];
  for (const { start, end } of lineBreaksInWords(text)) {
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

/** Line breaks within words, with the margins around them. */
function* lineBreaksInWords(text: string): Generator<{ readonly start: number; readonly end: number }, void> {
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    let end = at + 1;
    const last = Math.min(text.length, end + LONGEST_MARGIN);
    while (end < last && AFTER.has(text.charCodeAt(end))) end++;
    if (end === text.length || AFTER.has(text.charCodeAt(end)) || /\s/.test(text[end]!)) continue;
    const lineEnd = text[at - 1] === "\r" ? at - 1 : at;
    const first = Math.max(0, lineEnd - LONGEST_MARGIN);
    let start = lineEnd;
    while (start > first && BEFORE.has(text.charCodeAt(start - 1))) start--;
    while (start <= lineEnd && !/\S/.test(text[start - 1] ?? "")) start++;
    if (start <= lineEnd) yield { start, end };
  }
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
