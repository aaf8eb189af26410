/** Older generation first. */
export const SESSION_TABLES = ["session", "session_v2"] as const;

export interface SessionPlace {
  readonly table: (typeof SESSION_TABLES)[number];
  readonly rowid: number;
}

export interface OpenCodeSession {
  readonly id: string;
  readonly projectId: string;
  readonly parentId: string | undefined;
  readonly forkOf: string | undefined;
  readonly title: string | undefined;
  readonly directory: string | undefined;
  readonly agent: string | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** A path inside of its database, or its own file. */
  readonly path: string;
  /** Of one in a database: its rows, the older generation's first. */
  readonly rows: readonly SessionPlace[];
}
