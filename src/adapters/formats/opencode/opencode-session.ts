/** The tables of sessions, the older generation first. */
export const SESSION_TABLES = ["session", "session_v2"] as const;

export interface SessionPlace {
  readonly table: (typeof SESSION_TABLES)[number];
  readonly rowid: number;
}

/** The facts about a session without its messages. */
export interface OpenCodeSession {
  readonly id: string;
  readonly projectId: string;
  readonly parentId: string | undefined;
  /** The session that it was forked from, where that is recorded. */
  readonly forkOf: string | undefined;
  readonly title: string | undefined;
  readonly directory: string | undefined;
  /** Its role as a sub-agent. */
  readonly agent: string | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** A path inside of its database, or its own file. */
  readonly path: string;
  /** Of one in a database: its rows, the older generation's first. */
  readonly rows: readonly SessionPlace[];
}
