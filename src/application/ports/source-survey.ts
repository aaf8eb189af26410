import type { SessionKey } from "../../domain/session/session-key.js";
import type {
  GoneSession,
  SessionsDue,
  SourceProblem,
  SourceRetention,
  WriterVersion,
} from "../../domain/session/source-report.js";

export interface SurveyRequest {
  /** Only data of these tenants, compared exactly. Data of other tenants is dropped from the result. */
  readonly tenants?: readonly string[] | undefined;
  /** Only sources whose tool deletes sessions by itself: other sources are omitted, and not read. Default is all. */
  readonly onlyDue?: boolean | undefined;
  /** After about this many milliseconds it returns its results, once it has examined at least one session. */
  readonly budgetMs: number;
}

/** Unavailable members are absent. */
type SourceIdentity = {
  readonly [Member in "key" | "name" | "format" | "path" | "failure" | "verified"]?: string | undefined;
};

/**
 * Figures come by tenant, so that a caller with access to some tenants gets only theirs. Facts about the complete source reveal nothing
 * about a tenant, except `path` and `problems`, which such a caller does not get.
 */
export interface SourceSurvey extends SourceIdentity {
  readonly tenants: readonly TenantSurvey[];
  /** Unreadable parts of the complete source, which may hide tenants or sessions. Default is an empty list. */
  readonly problems?: readonly SourceProblem[] | undefined;
  /** Without the due sessions, which are part of each tenant. */
  readonly retention?: Omit<SourceRetention, "due"> | undefined;
  /** Within how many days `due` sessions will be deleted. Default is that it deletes none. */
  readonly dueWithinDays?: number | undefined;
  /** Deleted sessions of an unknown tenant. Default is an empty list. */
  readonly gone?: readonly GoneSession[] | undefined;
}

/** Absent members are those that the source does not know. */
export interface TenantSurvey {
  readonly tenantId: string;
  readonly sessions: number;
  /** Number of sessions that are not read to their end. Default is 0. */
  readonly unread?: number | undefined;
  readonly files?: number | undefined;
  readonly bytes?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly oldest?: number | undefined;
  readonly newest?: number | undefined;
  readonly versions?: readonly Omit<WriterVersion, "isNewer">[] | undefined;
  readonly unknownRecords?: readonly UnknownOfTenant[] | undefined;
  readonly problems?: readonly SourceProblem[] | undefined;
  readonly due?: Omit<SessionsDue, "withinDays"> | undefined;
  readonly gone?: readonly GoneSession[] | undefined;
}

export interface UnknownOfTenant {
  readonly type: string;
  readonly records: number;
  readonly sessions: number;
  /** A session with this version. */
  readonly sessionId: string;
}

export interface SurveyedSession extends SessionKey {
  /** True if more of it remains to be read. Default is false. */
  readonly isUnread?: boolean | undefined;
  readonly files?: number | undefined;
  readonly bytes?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly oldest?: number | undefined;
  readonly newest?: number | undefined;
  readonly versions?: readonly string[] | undefined;
  readonly unknownTypes?: readonly { readonly type: string; readonly count: number }[] | undefined;
  readonly problems?: readonly Omit<SourceProblem, "session">[] | undefined;
  /** Time of its deletion, if that is soon. */
  readonly dueAt?: number | undefined;
}
