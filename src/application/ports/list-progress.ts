/** How far the reading of a session list has come: reported about once a second while it takes long. */
export interface ListProgress {
  /** How many sessions were read so far. */
  readonly sessions: number;
  readonly elapsedMs: number;
}
