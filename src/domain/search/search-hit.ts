import type { ContentKind } from "./search-query.js";
import type { Snippet } from "./snippet.js";

/** The matches of one kind in one record: an envelope, or a message that no envelope shows. */
export interface SearchHit {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly in: ContentKind;
  /** Of an envelope: as the merged trace numbers it. */
  readonly sequence?: number;
  /** Of a message: its place in the session's messages, from 0. With `sequence` where the envelope shows that message. */
  readonly messageIndex?: number;
  /** As the envelope says it. */
  readonly timestamp?: string;
  readonly agentId?: string;
  readonly type?: string;
  readonly toolName?: string;
  /** Whose message it is. */
  readonly role?: string;
  /** How many matches of that kind the record holds. */
  readonly matches: number;
  /** The first of them. */
  readonly snippet: Snippet;
}
