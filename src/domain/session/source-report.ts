import type { InspectorSessionItem } from "./session.js";

/**
 * What is known of one source of histories, and what becomes of them. Lists are bounded: the newest, or the most frequent, come first,
 * and a count beside each says how many there are.
 */
export interface SourceReport {
  /** Begins the tenant ids of its sessions, where there are several sources: `source` of the session list. */
  readonly key?: string;
  /** What people call it. Absent of a source that has no name. */
  readonly name?: string;
  /** The format of its files, by its name in `docs/formats.md`. Absent where it is none of these. */
  readonly format?: string;
  /** The folder, or the file. Absent unless whoever opened the source lets it be shown, and to a caller who may not see all tenants. */
  readonly path?: string;
  /** Why nothing is known of it now: then it has no figures. */
  readonly failure?: string;
  /** How many sessions there are. Absent where that is not known. */
  readonly sessions?: number;
  /** How many of them have not been read to their end yet: `oldest`, `versions`, `unknownRecords` and `problems` are of the others. */
  readonly unread: number;
  /** Whether all of it has been read: else ask again. */
  readonly isComplete: boolean;
  /** Absent where the source does not know files. */
  readonly files?: number;
  readonly bytes?: number;
  /** When its oldest session began, and its newest one was active last: ISO 8601, UTC. Absent where there is none. */
  readonly oldest?: string;
  readonly newest?: string;
  /** The newest version of the tool whose files the reader was tried with. Absent where nobody knows. */
  readonly verified?: string;
  /** The versions of the programs that wrote its sessions, the newest one first. */
  readonly versions: readonly WriterVersion[];
  /** Records of types that the format does not know. They are shown as they are. The most frequent types come first. */
  readonly unknownRecords: readonly UnknownRecords[];
  /** How many such records there are of all types. */
  readonly unknownRecordCount: number;
  /** What could not be read, and why. */
  readonly problems: readonly SourceProblem[];
  /** In how many places: those that are not listed, too. */
  readonly problemCount: number;
  /** What the tool deletes by itself. Absent where nothing is known of that, which does not mean that it deletes nothing. */
  readonly retention?: SourceRetention;
  /** Sessions that an index of the tool names, and whose files are gone; the newest ones first. */
  readonly gone: readonly GoneSession[];
  readonly goneCount: number;
}

export interface WriterVersion {
  readonly version: string;
  /** How many sessions it wrote something of. */
  readonly sessions: number;
  /** Whether it is newer than `verified`: its files may hold what the reader does not know. */
  readonly isNewer: boolean;
}

export interface UnknownRecords {
  readonly type: string;
  readonly records: number;
  /** How many sessions hold some. */
  readonly sessions: number;
  /** One of these. */
  readonly example: ReportedSession;
}

export type ReportedSession = Pick<InspectorSessionItem, "tenantId" | "sessionId">;

/** Something that could not be read. */
export interface SourceProblem {
  readonly reason: string;
  /** How many times it was met. */
  readonly count: number;
  /** The session, where it is of one. */
  readonly session?: ReportedSession;
  /** The first place: a file as the source's own layout names it, never a path of the machine, and its line, counted from 1. */
  readonly file?: string;
  readonly line?: number;
}

/**
 * - `deletes`: the tool deletes sessions whose files have not been changed for `days`.
 * - `keeps`: it deletes nothing by itself.
 */
export interface SourceRetention {
  readonly rule: "deletes" | "keeps";
  readonly days?: number;
  /** Where that is said: a setting and its file, or that it is the tool's default. */
  readonly statedIn?: string;
  /** What it will delete soon. Absent where it deletes nothing. */
  readonly due?: SessionsDue;
}

/** Sessions that will be deleted when the tool looks for old ones next, within so many days. */
export interface SessionsDue {
  readonly withinDays: number;
  readonly sessions: number;
  readonly bytes: number;
  /** When the first of them may be deleted: ISO 8601, UTC; past where the tool has not looked since. Absent where there are none. */
  readonly first?: string;
}

/** What is known of a session whose files are gone. */
export interface GoneSession {
  readonly sessionId: string;
  /** The tenant that it was of. Absent where the index does not tell. */
  readonly tenantId?: string;
  readonly title?: string;
  readonly directory?: string;
  /** ISO 8601, UTC. */
  readonly lastActive?: string;
  /** The index that names it. */
  readonly namedIn: string;
}
