import type { SearchHit } from "../../domain/search-hit.js";

/** How parts of a line are told apart: with colours, or without. */
export interface HitStyle {
  faint(text: string): string;
  kind(text: string): string;
  match(text: string): string;
}

/** For files and pipes: only the match is marked. */
export const PLAIN: HitStyle = { faint: (text) => text, kind: (text) => text, match: (text) => `»${text}«` };

/** What may not reach a terminal: control characters, and those that turn the direction of text. Each is one code unit. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A hit in one line: session, instant, kind, tool, and the text around the match. */
export function hitLine(
  { tenantId, sessionId, timestamp, toolName, snippet, ...hit }: SearchHit,
  style: HitStyle,
): string {
  const text = safe(snippet.text);
  const { start, end } = snippet;
  const fields = [
    style.faint(safe(`${tenantId}/${sessionId}`)),
    style.faint(safe(timestamp ?? "-")),
    style.kind(toolName === undefined ? hit.in : `${hit.in} ${safe(toolName)}`),
    text.slice(0, start) + style.match(text.slice(start, end)) + text.slice(end),
  ];
  return `${fields.join("  ")}\n`;
}

/** A hit as a line of JSON. What a terminal could take for a command is escaped, as JSON allows it. */
export function hitJson(hit: SearchHit): string {
  const json = JSON.stringify(hit).replace(UNSAFE, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `${json}\n`;
}

function safe(text: string): string {
  return text.replace(UNSAFE, "\ufffd");
}
