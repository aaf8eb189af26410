import type { ConversationOutline } from "../conversation/conversation-outline.js";
import type { Message } from "../conversation/message.js";
import type { ListedSession } from "../session/model-usage.js";
import type { OrchestrationSnapshot } from "../trace/orchestration.js";
import type { WorkflowTraceEventEnvelope } from "../trace/trace-envelope.js";

export const ARCHIVE_FORMAT = "agent-inspector";

/** Increase it if older readers would misread a file. Readers refuse a higher version. */
export const ARCHIVE_VERSION = 1;

/**
 * A line of an archive: exported sessions as JSON Lines, each line an object that begins with one of these members. The head comes first,
 * then each session with its records, and the end last. A file without the end is incomplete.
 * @example
 * {"archive":{"format":"agent-inspector","version":1,"exportedAt":"2026-11-26T08:00:00.000Z","writer":"0.1.0","part":null,"redaction":null}}
 * {"session":{"tenantId":"default","sessionId":"s1",…},"revision":"…"}
 * {"envelope":{"id":"e1",…}}
 * {"message":{"role":"user","content":"hello"}}
 * {"end":{"sessions":1,"records":2}}
 */
export type ArchiveRecord =
  | { readonly archive: ArchiveHead }
  | ArchivedSession
  | ArchivedEnvelope
  | { readonly event: unknown }
  | { readonly state: OrchestrationSnapshot }
  | ArchivedOutline
  | ArchivedMessage
  | ArchivedWarning
  | { readonly end: ArchiveEnd };

export interface ArchiveHead {
  readonly format: typeof ARCHIVE_FORMAT;
  readonly version: number;
  /** ISO 8601, UTC. */
  readonly exportedAt: string;
  readonly writer: string;
  /** The exported part of each session, in the syntax of `--only`: `errors`, `turn:3`; `null` for the complete session. */
  readonly part: string | null;
  readonly redaction: ArchivedRedaction | null;
  /** Custom prices above the bundled ones, `false` for no prices. Absent for the bundled ones alone. */
  readonly prices?: unknown;
}

export interface ArchivedRedaction {
  readonly removed: { readonly [rule: string]: number };
  /** Number of findings that a person left in the file. */
  readonly kept: number;
}

/** The lines up to the next session belong to it. */
export interface ArchivedSession {
  readonly session: ListedSession;
  /** Of its snapshot; `null` if the source has none. Readers of the archive return the same. */
  readonly revision: string | null;
  /** For a part of a session: its turns of the main agent, numbered from 1 as in the complete session. */
  readonly turns?: readonly number[];
}

/** In the stored order, unchanged. */
interface ArchivedEnvelope {
  readonly envelope: WorkflowTraceEventEnvelope;
  /** Stored position of the envelope's message in the session's own conversation, if the source states it. */
  readonly shows?: number;
  /** For a part of a session: `sequence` in the complete session, if it differs from the stored one. */
  readonly sequence?: number;
}

export interface ArchivedOutline {
  readonly outline: ConversationOutline;
  /** The sub-agent of the conversation. Absent for the session's own. */
  readonly agent?: string;
}

export interface ArchivedMessage {
  readonly message: Message;
  readonly agent?: string;
}

interface ArchivedWarning {
  readonly warning: { readonly file: string; readonly line: number; readonly reason: string };
  readonly of: ArchivedList;
  /** For `messages`: the sub-agent of the conversation. Absent for the session's own. */
  readonly agent?: string;
}

export type ArchivedList = "trace" | "messages" | "orchestration" | "state";

interface ArchiveEnd {
  readonly sessions: number;
  /** Number of lines between the head and the end. */
  readonly records: number;
}
