/** How much the benchmark generates. */
export interface Sizes {
  readonly runs: number;
  readonly bigEnvelopes: number;
  readonly bigMessages: number;
  readonly hugeEnvelopes: number;
  readonly sessions: number;
  readonly sessionEnvelopes: number;
  /** About how many bytes an envelope has. */
  readonly envelopeBytes: number;
  readonly messageBytes: number;
}

/** 100 MB of trace, 100 MB of messages, 700 MB of trace, 250 MB of sessions. */
export const FULL: Sizes = {
  runs: 5,
  bigEnvelopes: 150_000,
  bigMessages: 50_000,
  hugeEnvelopes: 1_000_000,
  sessions: 2_000,
  sessionEnvelopes: 200,
  envelopeBytes: 680,
  messageBytes: 2_000,
};

/** For a machine that shares its time: what it tells of memory and stalls still holds, its times do not. */
export const SMALL: Sizes = {
  ...FULL,
  runs: 3,
  bigEnvelopes: 30_000,
  bigMessages: 10_000,
  hugeEnvelopes: 100_000,
  sessions: 200,
};
