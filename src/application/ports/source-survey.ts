import type {
  GoneSession,
  SessionsDue,
  SourceProblem,
  SourceRetention,
  WriterVersion,
} from "../../domain/session/source-report.js";

/** What is asked of a source about itself. */
export interface SurveyRequest {
  /** Only what is of these tenants, compared exactly. What a source gives of others is not shown. */
  readonly tenants?: readonly string[] | undefined;
  /** Only sources whose tool deletes sessions by itself: of any other one nothing is given, and nothing is read for it. Default is all. */
  readonly onlyDue?: boolean | undefined;
  /** After about so many milliseconds it gives what it knows, as soon as it has got on by at least one session. */
  readonly budgetMs: number;
}

/** What is said of a source as its report says it; absent is what it does not know. */
type SourceIdentity = {
  readonly [Member in "key" | "name" | "format" | "path" | "failure" | "verified"]?: string | undefined;
};

/**
 * What a source knows of its histories. Figures come tenant by tenant, so that a caller who may see some tenants is told of these
 * alone; what is said of the source as a whole tells nothing of any tenant, but for `path` and `problems`, which such a caller does not see.
 */
export interface SourceSurvey extends SourceIdentity {
  readonly tenants: readonly TenantSurvey[];
  /** What of the source as a whole cannot be read, so that tenants or sessions may be missing. Default is nothing. */
  readonly problems?: readonly SourceProblem[] | undefined;
  /** Without what is due, which is said of each tenant. */
  readonly retention?: Omit<SourceRetention, "due"> | undefined;
  /** Within how many days `due` sessions will be deleted. Default is that it deletes none. */
  readonly dueWithinDays?: number | undefined;
  /** Sessions that are gone, and of which nobody knows the tenant. Default is none. */
  readonly gone?: readonly GoneSession[] | undefined;
}

/** The same of one tenant. Absent is what the source does not know. */
export interface TenantSurvey {
  readonly tenantId: string;
  readonly sessions: number;
  /** How many of them have not been read to their end. Default is 0. */
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
  /** A session that holds some. */
  readonly sessionId: string;
}

/** What is known of one session, for the survey of its source. */
export interface SurveyedSession {
  readonly tenantId: string;
  readonly sessionId: string;
  /** Whether there is more of it to read. Default is that there is not. */
  readonly isUnread?: boolean | undefined;
  readonly files?: number | undefined;
  readonly bytes?: number | undefined;
  /** When it began, and when it was active last: milliseconds since the epoch. */
  readonly oldest?: number | undefined;
  readonly newest?: number | undefined;
  readonly versions?: readonly string[] | undefined;
  readonly unknownTypes?: readonly { readonly type: string; readonly count: number }[] | undefined;
  readonly problems?: readonly Omit<SourceProblem, "session">[] | undefined;
  /** When it may be deleted, where that is soon. */
  readonly dueAt?: number | undefined;
}
