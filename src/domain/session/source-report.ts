import type { SessionKey } from "./session-key.js";

/** Lists are bounded, the newest or most frequent elements first; the count beside each is the total. */
export interface SourceReport {
  /** Prefix of its tenant ids: `source` of the session list. Absent with a single source. */
  readonly key?: string;
  readonly name?: string;
  /** Name of the file format in `docs/formats.md`. Absent for other formats. */
  readonly format?: string;
  /** Absent unless the opener of the source allows it, and for a caller who may not read all tenants. */
  readonly path?: string;
  /** Reason of a temporary failure: there are no figures then. */
  readonly failure?: string;
  /** Absent if it is not determined. */
  readonly sessions?: number;
  /** Sessions that are not completely read yet: `oldest`, `versions`, `unknownRecords` and `problems` cover the others. */
  readonly unread: number;
  /** False: repeat the request. */
  readonly isComplete: boolean;
  /** Absent for a source without files. */
  readonly files?: number;
  readonly bytes?: number;
  /** `oldest` is a start, `newest` a last activity: ISO 8601, UTC. Absent without a session. */
  readonly oldest?: string;
  readonly newest?: string;
  /** Newest tested version of the tool. Absent if not recorded. */
  readonly verified?: string;
  /** Newest first. */
  readonly versions: readonly WriterVersion[];
  /** Records of types that the format does not define: they are displayed unchanged. Most frequent types first. */
  readonly unknownRecords: readonly UnknownRecords[];
  readonly unknownRecordCount: number;
  readonly problems: readonly SourceProblem[];
  /** Total, including places that are not listed. */
  readonly problemCount: number;
  /** The tool's own deletion of old sessions. Absent if undocumented: the tool may still delete. */
  readonly retention?: SourceRetention;
  /** Sessions in an index of the tool without files; newest first. */
  readonly gone: readonly GoneSession[];
  readonly goneCount: number;
}

export interface WriterVersion {
  readonly version: string;
  readonly sessions: number;
  /** Newer than `verified`: its files may contain unsupported records. */
  readonly isNewer: boolean;
}

export interface UnknownRecords {
  readonly type: string;
  readonly records: number;
  readonly sessions: number;
  readonly example: SessionKey;
}

export interface SourceProblem {
  readonly reason: string;
  readonly count: number;
  readonly session?: SessionKey;
  /** First place: a file in the source's own layout, never a path of the machine, and its line from 1. */
  readonly file?: string;
  readonly line?: number;
}

/**
 * - `deletes`: the tool deletes sessions whose files are unchanged for `days`.
 * - `keeps`: the tool deletes nothing by itself.
 */
export interface SourceRetention {
  readonly rule: "deletes" | "keeps";
  readonly days?: number;
  /** A setting and its file, or the tool's default. */
  readonly statedIn?: string;
  /** Absent if the tool deletes nothing. */
  readonly due?: SessionsDue;
}

/** Sessions that the tool's clean-ups within `withinDays` will delete. */
export interface SessionsDue {
  readonly withinDays: number;
  readonly sessions: number;
  readonly bytes: number;
  /** Earliest deletion: ISO 8601, UTC; in the past if no clean-up happened since. Absent without such sessions. */
  readonly first?: string;
}

/** A session without files. */
export interface GoneSession {
  readonly sessionId: string;
  /** Absent if the index does not name it. */
  readonly tenantId?: string;
  readonly title?: string;
  readonly directory?: string;
  /** ISO 8601, UTC. */
  readonly lastActive?: string;
  readonly namedIn: string;
}
