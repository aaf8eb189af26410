import type { InspectorSessionItem } from "./session.js";

/**
 * Facts about one source of histories and about their retention. Lists are bounded: the newest, or the most frequent, come first, and a
 * count beside each is the total.
 */
export interface SourceReport {
  /** Begins the tenant ids of its sessions, where there are several sources: `source` of the session list. */
  readonly key?: string;
  /** Display name. Absent for a source without a name. */
  readonly name?: string;
  /** The format of its files, by its name in `docs/formats.md`. Absent for other formats. */
  readonly format?: string;
  /** The folder, or the file. Absent unless the opener of the source allows it, and for a caller who may not read all tenants. */
  readonly path?: string;
  /** Why its facts are unavailable at the moment: then it has no figures. */
  readonly failure?: string;
  /** Number of sessions. Absent if it is not determined. */
  readonly sessions?: number;
  /** Number of sessions that are not completely read yet: `oldest`, `versions`, `unknownRecords` and `problems` cover the others. */
  readonly unread: number;
  /** True if everything was read; otherwise repeat the request. */
  readonly isComplete: boolean;
  /** Absent where the source does not know files. */
  readonly files?: number;
  readonly bytes?: number;
  /** Start of its oldest session, and last activity of its newest one: ISO 8601, UTC. Absent without a session. */
  readonly oldest?: string;
  readonly newest?: string;
  /** The newest version of the tool whose files the reader was tried with. Absent where nobody knows. */
  readonly verified?: string;
  /** The versions of the programs that wrote its sessions, the newest one first. */
  readonly versions: readonly WriterVersion[];
  /** Records of types that the format does not define. They are displayed unchanged. The most frequent types come first. */
  readonly unknownRecords: readonly UnknownRecords[];
  /** Total number of such records. */
  readonly unknownRecordCount: number;
  /** Unreadable parts, with their reasons. */
  readonly problems: readonly SourceProblem[];
  /** In how many places: those that are not listed, too. */
  readonly problemCount: number;
  /** The tool's own deletion of old sessions. Absent if it is undocumented, which does not mean that nothing is deleted. */
  readonly retention?: SourceRetention;
  /** Sessions that an index of the tool names, and whose files are gone; the newest ones first. */
  readonly gone: readonly GoneSession[];
  readonly goneCount: number;
}

export interface WriterVersion {
  readonly version: string;
  /** Number of sessions with records of it. */
  readonly sessions: number;
  /** True if it is newer than `verified`: its files may contain records that the reader does not support. */
  readonly isNewer: boolean;
}

export interface UnknownRecords {
  readonly type: string;
  readonly records: number;
  /** Number of sessions with such records. */
  readonly sessions: number;
  /** One of these. */
  readonly example: ReportedSession;
}

export type ReportedSession = Pick<InspectorSessionItem, "tenantId" | "sessionId">;

/** Something that could not be read. */
export interface SourceProblem {
  readonly reason: string;
  /** Number of occurrences. */
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
  /** Origin of the rule: a setting and its file, or the tool's default. */
  readonly statedIn?: string;
  /** Sessions that it will delete soon. Absent if it deletes nothing. */
  readonly due?: SessionsDue;
}

/** Sessions that the tool will delete at its next clean-up, within a number of days. */
export interface SessionsDue {
  readonly withinDays: number;
  readonly sessions: number;
  readonly bytes: number;
  /** Earliest deletion of the first of them: ISO 8601, UTC; past if the tool has not cleaned up since. Absent without such sessions. */
  readonly first?: string;
}

/** Facts of a session whose files are gone. */
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
