/** Progress of reading a session list: reported about once a second during a long reading. */
export interface ListProgress {
  /** Number of sessions that were read. */
  readonly sessions: number;
  /** Total number of sessions. */
  readonly total: number;
  /** Duration of the reading so far, in milliseconds. */
  readonly elapsedMs: number;
}
