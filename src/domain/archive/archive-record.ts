import type { ConversationOutline } from "../conversation/conversation-outline.js";
import type { Message } from "../conversation/message.js";
import type { OrchestrationSnapshot } from "../orchestration/orchestration.js";
import type { WorkflowTraceEventEnvelope } from "../trace/trace-envelope.js";
import type { ListedSession } from "../usage/model-usage.js";

/** The first member of every archive, by which its files are known. */
export const ARCHIVE_FORMAT = "agent-inspector";

/** Raised where a reader of before would misread what is written. A reader refuses a higher one. */
export const ARCHIVE_VERSION = 1;

/**
 * A line of an archive: sessions as they were when they were exported, as JSON Lines. Each line is an object with one of these members
 * first. The head is the first line, then each session with its records behind it, and the end is the last line: a file without it broke off.
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
  /** Which part of each session it holds, as `--only` says it: `errors`, `turn:3`; `null` for all of it. */
  readonly part: string | null;
  /** What was removed before it was written; `null` where nothing was looked for. */
  readonly redaction: ArchivedRedaction | null;
  /** Prices above the bundled ones, `false` for none at all: what its sessions cost is worked out by them. Absent where there are no own ones. */
  readonly prices?: unknown;
}

export interface ArchivedRedaction {
  /** How many different values were removed, by the names of their rules. */
  readonly removed: { readonly [rule: string]: number };
  /** How many were found, and stay because somebody said so. */
  readonly kept: number;
}

/** What lies behind it, up to the next one, is of this session. */
export interface ArchivedSession {
  /** As its source lists it, with what it did. */
  readonly session: ListedSession;
  /** Of its snapshot; `null` where the source knows none. Readers of the archive give the same. */
  readonly revision: string | null;
  /** Of a part of a session: which turns of the main agent it has some of, as all of them are numbered from 1 on. */
  readonly turns?: readonly number[];
}

/** An envelope as its source stores it, in the stored order. */
export interface ArchivedEnvelope {
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

/** What the source could not read. */
export interface ArchivedWarning {
  readonly warning: { readonly file: string; readonly line: number; readonly reason: string };
  /** Of which list it is missing. */
  readonly of: ArchivedList;
  /** Of `messages`, the sub-agent whose conversation it is missing from. Absent for the session's own. */
  readonly agent?: string;
}

export type ArchivedList = "trace" | "messages" | "orchestration" | "state";

export interface ArchiveEnd {
  readonly sessions: number;
  /** How many lines there are between the head and the end. */
  readonly records: number;
}
