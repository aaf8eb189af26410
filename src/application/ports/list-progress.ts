/** How far the reading of a session list has come: reported about once a second while it takes long. */
export interface ListProgress {
  /** How many sessions were read so far. */
  readonly sessions: number;
  /** How many there are. */
  readonly total: number;
  /** How long the reading takes so far, in milliseconds. */
  readonly elapsedMs: number;
}
