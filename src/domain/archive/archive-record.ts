import type { ConversationOutline } from "../conversation/conversation-outline.js";
import type { Message } from "../conversation/message.js";
import type { ListedSession } from "../session/model-usage.js";
import type { OrchestrationSnapshot } from "../trace/orchestration.js";
import type { WorkflowTraceEventEnvelope } from "../trace/trace-envelope.js";

/** The first member of every archive, which identifies its files. */
export const ARCHIVE_FORMAT = "agent-inspector";

/** Raised where a reader of before would misread what is written. A reader refuses a higher one. */
export const ARCHIVE_VERSION = 1;

/**
 * A line of an archive: exported sessions as JSON Lines. Each line is an object, and its first member is one of these. The head is the
 * first line. Each session follows with its records, and the end is the last line. A file without the end is incomplete.
 *
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
  /** The version of agent-inspector that wrote it. */
  readonly writer: string;
  /** The exported part of each session, in the syntax of `--only`: `errors`, `turn:3`; `null` for the complete session. */
  readonly part: string | null;
  /** The values that were removed before writing; `null` without redaction. */
  readonly redaction: ArchivedRedaction | null;
  /** Prices above the bundled ones, `false` for none at all: what its sessions cost is worked out by them. Absent where there are no own ones. */
  readonly prices?: unknown;
}

export interface ArchivedRedaction {
  /** Number of different removed values, by the names of their rules. */
  readonly removed: { readonly [rule: string]: number };
  /** Number of detected values that a person decided to leave in the file. */
  readonly kept: number;
}

/** The lines after it, up to the next one, belong to this session. */
export interface ArchivedSession {
  /** As its source lists it, with what it did. */
  readonly session: ListedSession;
  /** Of its snapshot; `null` where the source knows none. Readers of the archive give the same. */
  readonly revision: string | null;
  /** Of a part of a session: which turns of the main agent it has some of, as all of them are numbered from 1 on. */
  readonly turns?: readonly number[];
}

/** An envelope as its source stores it, in the stored order. */
interface ArchivedEnvelope {
  readonly envelope: WorkflowTraceEventEnvelope;
  /** The stored position of the message of the session's own conversation that it shows, where the source says so. */
  readonly shows?: number;
  /** Of a part of a session: its `sequence` in answers about all of it, where that is not the stored one. */
  readonly sequence?: number;
}

/** Before the messages of its conversation. */
export interface ArchivedOutline {
  readonly outline: ConversationOutline;
  /** The sub-agent whose conversation it is. Absent for the session's own. */
  readonly agent?: string;
}

/** In the stored order of its conversation. */
export interface ArchivedMessage {
  readonly message: Message;
  readonly agent?: string;
}

/** A part that the source could not read. */
interface ArchivedWarning {
  readonly warning: { readonly file: string; readonly line: number; readonly reason: string };
  /** The list with the missing record. */
  readonly of: ArchivedList;
  /** Of `messages`, the sub-agent whose conversation it is missing from. Absent for the session's own. */
  readonly agent?: string;
}

export type ArchivedList = "trace" | "messages" | "orchestration" | "state";

interface ArchiveEnd {
  readonly sessions: number;
  /** Number of lines between the head and the end. */
  readonly records: number;
}
