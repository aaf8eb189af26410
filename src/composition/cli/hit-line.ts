import type { SearchHit } from "../../domain/search/search-hit.js";
import { plainJson, plainText } from "./terminal-text.js";

/** How parts of a line are told apart: with colours, or without. */
export interface HitStyle {
  faint(text: string): string;
  kind(text: string): string;
  match(text: string): string;
}

/** For files and pipes: only the match is marked. */
export const PLAIN: HitStyle = { faint: (text) => text, kind: (text) => text, match: (text) => `»${text}«` };

/** A hit in one line: session, instant, kind, tool, and the text around the match. */
export function hitLine(
  { tenantId, sessionId, timestamp, toolName, snippet, ...hit }: SearchHit,
  style: HitStyle,
): string {
  const text = plainText(snippet.text);
  const { start, end } = snippet;
  const fields = [
    style.faint(plainText(`${tenantId}/${sessionId}`)),
    style.faint(plainText(timestamp ?? "-")),
    style.kind(toolName === undefined ? hit.in : `${hit.in} ${plainText(toolName)}`),
    text.slice(0, start) + style.match(text.slice(start, end)) + text.slice(end),
  ];
  return `${fields.join("  ")}\n`;
}

/** A hit as a line of JSON. */
export function hitJson(hit: SearchHit): string {
  return `${plainJson(JSON.stringify(hit))}\n`;
}
