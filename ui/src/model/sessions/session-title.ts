import { previewText } from "../../../../src/domain/text/preview-text.js";

const MOST = 400;

/** Tools put this before a person's words. */
const BEGINNING = /^(?:please )?implement (?:the following|this) plan\b[\s:.]*/i;
const PLAN = /^(?:implementation )?plan\s*[:–—-]\s*/i;

const LINE_MARK = /^(?:(?:#{1,6}|>|[-*+]|\d{1,3}[.)]) +)+/;
/** A heading in one line ends at the next. */
const NEXT_HEADING = / #{1,6} .*$/;

/** The address of the last may be cut off. */
const LINK = /!?\[([^[\]]*)\]\([^()\s]*(?:\)|…?$)/g;
const CODE = /(`{1,3})([^`]+)\1/g;
const STRONG = /(?<![\w*])(\*{1,3}|~~)(?=\S)([^*~]+?)(?<=\S)\1(?![\w*])/g;
const UNDERLINED = /(?<![\w_])(_{1,2})(?=\S)([^_]+?)(?<=\S)\1(?!\w|\.\w)/g;

/**
 * Without Markdown, and without prefixes of tools.
 * @example plainTitle("Implement the following plan: # Plan: Add **CSV** ## Why") // "Add CSV"
 */
export function plainTitle(title: string): string {
  const line = previewText(title, MOST);
  const prompt = line.replace(BEGINNING, "");
  const isHeading = /^#{1,6} /.test(prompt);
  const words = prompt.replace(LINE_MARK, "");
  const plain = withoutMarks((isHeading ? words.replace(NEXT_HEADING, "") : words).replace(PLAN, ""));
  return /[\p{L}\p{N}]/u.test(plain) ? plain : line;
}

/** One line, without Markdown marks. */
export function plainText(text: string): string {
  return withoutMarks(previewText(text, MOST).replace(LINE_MARK, ""));
}

function withoutMarks(line: string): string {
  return line.replace(LINK, "$1").replace(CODE, "$2").replace(STRONG, "$2").replace(UNDERLINED, "$2").trim();
}

interface Titled {
  readonly title?: string | undefined;
  readonly prompt?: string | undefined;
}

/** As complete as available; `undefined` without a title. */
export function sessionTitle({ title, prompt }: Titled): string | undefined {
  const isCut = title?.endsWith("…") && prompt?.startsWith(title.slice(0, -1));
  const longest = isCut ? prompt : title;
  return (longest && plainTitle(longest)) || undefined;
}
