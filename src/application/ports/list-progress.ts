/** Progress of reading a session list: reported about once a second during a long reading. */
export interface ListProgress {
  readonly sessions: number;
  readonly total: number;
  readonly elapsedMs: number;
}
