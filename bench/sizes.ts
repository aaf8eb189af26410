import type { TraceSize } from "./data.js";

export interface Sizes {
  readonly runs: number;
  readonly bigTrace: TraceSize;
  readonly hugeTrace: TraceSize;
  readonly bigMessages: number;
  readonly messageBytes: number;
  readonly sessions: number;
  readonly session: TraceSize;
  /** Approximate bytes of all projects together. */
  readonly projectsBytes: number;
  /** Sessions beside the one for windows, in its project. */
  readonly projectSessions: number;
  /** Approximate size of a long rollout, and sub-agents of one thread. */
  readonly rolloutBytes: number;
  readonly rolloutAgents: number;
  /** Of OpenCode; bytes are approximate. */
  readonly databaseSessions: number;
  readonly databaseBytes: number;
  /** Sessions of 100 kB, for the first rows of a list. */
  readonly manySessions: number;
  /** Turns of the session for the summary, about 100 events each, and of those for the comparison, 41 messages each. */
  readonly summaryTurns: number;
  readonly comparedTurns: number;
  /** One span each. */
  readonly otlpTraces: number;
  readonly receivingSeconds: number;
}

/** Approximate. */
const envelopeBytes = 680;

export const FULL: Sizes = {
  runs: 5,
  bigTrace: { envelopes: 150_000, envelopeBytes },
  hugeTrace: { envelopes: 1_000_000, envelopeBytes },
  bigMessages: 50_000,
  messageBytes: 2_000,
  sessions: 2_000,
  session: { envelopes: 200, envelopeBytes },
  projectsBytes: 1e9,
  projectSessions: 2_000,
  rolloutBytes: 700e6,
  rolloutAgents: 2_400,
  databaseSessions: 6_000,
  databaseBytes: 2e9,
  manySessions: 10_000,
  summaryTurns: 1_000,
  comparedTurns: 122,
  otlpTraces: 20_000,
  receivingSeconds: 10,
};

/** For a machine that shares its time: only figures of memory and stalls are valid. */
export const SMALL: Sizes = {
  ...FULL,
  runs: 3,
  bigTrace: { envelopes: 30_000, envelopeBytes },
  hugeTrace: { envelopes: 100_000, envelopeBytes },
  bigMessages: 10_000,
  sessions: 200,
  projectsBytes: 30e6,
  projectSessions: 200,
  rolloutBytes: 30e6,
  databaseSessions: 500,
  databaseBytes: 50e6,
  rolloutAgents: 200,
  manySessions: 300,
  summaryTurns: 30,
  comparedTurns: 10,
  otlpTraces: 2_000,
  receivingSeconds: 2,
};
