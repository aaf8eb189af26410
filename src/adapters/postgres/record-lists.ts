/** The lists of records that a session has, each in a table of its own. */
export const RECORD_TABLES = {
  trace: "trace_envelopes",
  orchestration: "orchestration_events",
  messages: "messages",
  log: "session_log",
} as const;

export type RecordList = keyof typeof RECORD_TABLES;

/** Where the records of a session's list lie: a part of its table. */
export interface RecordRange {
  readonly table: string;
  readonly tenantId: string;
  readonly sessionId: string;
  /** The position of the first record, and how many there are. */
  readonly first: number;
  readonly size: number;
}
