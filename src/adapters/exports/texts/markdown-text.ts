import { formatCount } from "../../../domain/text/figures.js";
import { withoutTerminalCodes } from "../../../domain/text/preview-text.js";
import { visibleLines, visibleText } from "../../../domain/text/visible-text.js";

export interface QuotedText {
  readonly text: string;
  /** Language of the code block. Default is `text`. */
  readonly language?: "json" | "diff" | "sh" | undefined;
}

/**
 * The fence is longer than any run of backticks in the text, so the text cannot end the block. Renderers make no links, images, HTML or
 * mentions in it.
 */
export function codeBlock({ text, language }: QuotedText): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language ?? "text"}\n${text}\n${fence}\n`;
}

/** A code span, except for letters, digits and marks without a meaning in Markdown and on GitHub. */
export function inlineText(words: string, most = 200): string {
  const line = visibleText(words.replace(/\s+/g, " ").trim());
  const text = line.length > most ? `${fenced(line.slice(0, most - 1))}…` : line;
  return isPlain(text) ? text : codeSpan(text);
}

/** @see https://spec.commonmark.org/0.31.2/#code-spans */
export function codeSpan(words: string): string {
  const text = visibleText(words.replace(/\s+/g, " ").trim());
  const fence = "`".repeat(longestRun(text) + 1);
  // A space separates a backtick of the text from the fence; renderers remove it.
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return text === "" ? "" : `${fence}${space}${text}${space}${fence}`;
}

/** Renderers turn addresses, commit hashes and issue numbers into links. */
function isPlain(text: string): boolean {
  return (
    /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ,.!?'()…]|-(?=\p{L}))*$/u.test(text) && !/www\.|[\da-f]{7}/i.test(text)
  );
}

/** Share of the beginning in a cut text. */
const BEGINNING = 0.7;

/**
 * Removes terminal codes, and makes control characters visible. A long text becomes its beginning and end, with the omitted length
 * between them.
 */
export function shortenedText(text: string, most: number): string {
  if (text.length <= most) return readable(text);
  const head = fenced(text.slice(0, Math.floor(most * BEGINNING)));
  const tail = text.slice(text.length - (most - head.length)).replace(/^[\uDC00-\uDFFF]/, "");
  const left = formatCount(text.length - head.length - tail.length);
  return `${readable(head)}\n… ${left} characters left out …\n${readable(tail)}`;
}

function readable(text: string): string {
  return visibleLines(withoutTerminalCodes(text).replace(/\r\n?/g, "\n")).trimEnd();
}

/** Characters. Renderers do not wrap code. */
const LINE = 110;

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

/** Drops half of a surrogate pair at the end. */
function fenced(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, "");
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}
