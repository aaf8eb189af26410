import { COUNT } from "../../../domain/text/figure-texts.js";
import { withoutTerminalCodes } from "../../../domain/text/preview-text.js";
import { visibleLines, visibleText } from "../../../domain/text/visible-text.js";

/** A text of a history, cut to its displayed length. */
export interface QuotedText {
  readonly text: string;
  /** Of the code block: `json`, `diff`. Default is `text`. */
  readonly language?: "json" | "diff" | "sh" | undefined;
}

/**
 * A text in a code block that it cannot end: its fence is longer than any run of backticks in it. In a code block nothing becomes a link, an
 * image, HTML, a mention or a heading, in whatever renders it.
 */
export function codeBlock({ text, language }: QuotedText): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language ?? "text"}\n${text}\n${fence}\n`;
}

/** Words of a history in a line: in a code span, unless they are letters, digits and marks that mean nothing to Markdown and to GitHub. */
export function inlineText(words: string, most = 200): string {
  const line = visibleText(words.replace(/\s+/g, " ").trim());
  const text = line.length > most ? `${whole(line.slice(0, most - 1))}…` : line;
  return isPlain(text) ? text : codeSpan(text);
}

/** @see https://spec.commonmark.org/0.31.2/#code-spans */
export function codeSpan(words: string): string {
  const text = visibleText(words.replace(/\s+/g, " ").trim());
  const fence = "`".repeat(longestRun(text) + 1);
  // A space, which renderers remove again, separates a backtick of the text from the fence.
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return text === "" ? "" : `${fence}${space}${text}${space}${fence}`;
}

/** Addresses, hashes of commits and numbers of issues become links by themselves. */
function isPlain(text: string): boolean {
  return (
    /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ,.!?'()…]|-(?=\p{L}))*$/u.test(text) && !/www\.|[\da-f]{7}/i.test(text)
  );
}

/** Fraction of the displayed text that comes from the beginning. */
const BEGINNING = 0.7;

/**
 * Returns a text in readable form: without terminal codes, and with visible control characters. Of a text longer than `most`, returns the
 * beginning and the end. A line between them states how much was omitted.
 */
export function shownText(text: string, most: number): string {
  if (text.length <= most) return readable(text);
  const head = whole(text.slice(0, Math.floor(most * BEGINNING)));
  const tail = text.slice(text.length - (most - head.length)).replace(/^[\uDC00-\uDFFF]/, "");
  const left = COUNT.format(text.length - head.length - tail.length);
  return `${readable(head)}\n… ${left} characters left out …\n${readable(tail)}`;
}

function readable(text: string): string {
  return visibleLines(withoutTerminalCodes(text).replace(/\r\n?/g, "\n")).trimEnd();
}

/** Maximum length of a line of prose. Markdown renderers do not break lines of code. */
const LINE = 110;

/** Wraps a text between words. */
export function wrapped(text: string): string {
  return text.split("\n").map(wrappedLine).join("\n");
}

function wrappedLine(line: string): string {
  if (line.length <= LINE) return line;
  const lines: string[] = [];
  let at = 0;
  while (line.length - at > LINE) {
    const space = line.lastIndexOf(" ", at + LINE);
    const end = space > at ? space : line.indexOf(" ", at + LINE);
    if (end === -1) break;
    lines.push(line.slice(at, end));
    at = end + 1;
  }
  lines.push(line.slice(at));
  return lines.join("\n");
}

/** No half of a surrogate pair at its end. */
function whole(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, "");
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}
