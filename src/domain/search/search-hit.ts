import type { SessionKey } from "../session/session-key.js";
import type { ContentKind } from "./search-query.js";
import type { Match } from "./text-matches.js";

/** The matches of one kind in one record: an envelope, or a message that no envelope shows. */
export interface SearchHit extends SessionKey {
  readonly in: ContentKind;
  /** Only for an envelope: its number in the merged trace. */
  readonly sequence?: number;
  /** Index in the session's messages, from 0. With `sequence` if the envelope contains that message. */
  readonly messageIndex?: number;
  /** The envelope's own timestamp, unchanged. */
  readonly timestamp?: string;
  readonly agentId?: string;
  readonly type?: string;
  readonly toolName?: string;
  readonly role?: string;
  /** Matches of that kind in the record. */
  readonly matches: number;
  readonly snippet: Snippet;
}

export interface Snippet {
  readonly text: string;
  /** UTF-16 code units in `text`. */
  readonly start: number;
  readonly end: number;
}

/** Approximate, in UTF-16 code units. */
const LENGTH = 160;
const BEFORE = 50;
const MATCH = 100;

const CUT = "…";

/** White space becomes one space; an ellipsis marks cut text. */
export function snippetOf(text: string, { start, end }: Match): Snippet {
  const visibleEnd = cutBefore(text, Math.min(end, start + MATCH));
  const matched = inOneLine(text.slice(start, visibleEnd));
  const from = cutBehind(text, Math.max(0, start - BEFORE));
  const line = inOneLine(text.slice(from, start)).trimStart();
  const before = (from > 0 ? CUT : "") + (matched.startsWith(" ") ? line.trimEnd() : line);
  const rest = LENGTH - before.length - matched.length;
  const to = visibleEnd < end ? visibleEnd : cutBefore(text, Math.min(text.length, visibleEnd + rest));
  const behind = inOneLine(text.slice(visibleEnd, to)).trimEnd();
  return {
    text:
      before +
      matched +
      (matched.endsWith(" ") ? behind.trimStart() : behind) +
      (to < text.length ? CUT : ""),
    start: before.length,
    end: before.length + matched.length,
  };
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** Never cuts a surrogate pair. */
function cutBefore(text: string, at: number): number {
  return isInsideOfPair(text, at) ? at - 1 : at;
}

function cutBehind(text: string, at: number): number {
  return isInsideOfPair(text, at) ? at + 1 : at;
}

function isInsideOfPair(text: string, at: number): boolean {
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at));
}
