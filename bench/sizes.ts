import type { TraceSize } from "./data.js";

/** How much the benchmark generates, and how often it measures. */
export interface Sizes {
  readonly runs: number;
  readonly bigTrace: TraceSize;
  readonly hugeTrace: TraceSize;
  readonly bigMessages: number;
  readonly messageBytes: number;
  readonly sessions: number;
  readonly session: TraceSize;
  /** About how many bytes the projects of Claude Code have together. */
  readonly projectsBytes: number;
  /** How many sessions lie beside the one whose windows are asked for, in its project. */
  readonly projectSessions: number;
  /** About how long a long rollout of Codex is, and how many sub-agents one of its threads has. */
  readonly rolloutBytes: number;
  readonly rolloutAgents: number;
  /** How many sessions a database of OpenCode has, and about how many bytes. */
  readonly databaseSessions: number;
  readonly databaseBytes: number;
  /** How many sessions of 100 kB the first rows of a list are asked for among. */
  readonly manySessions: number;
  /** How many turns the session has that is summed up, of about 100 events each, and each of those that are compared, of 41 messages. */
  readonly summaryTurns: number;
  readonly comparedTurns: number;
  /** How many traces of one span a folder of OTLP files has. */
  readonly otlpTraces: number;
  /** How long spans are received. */
  readonly receivingSeconds: number;
}

/** About how many bytes an envelope has. */
const envelopeBytes = 680;

/** 100 MB of trace, 700 MB of trace, 100 MB of messages, 250 MB of sessions, 1 GB of projects. */
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

/** For a machine that shares its time: figures of memory and stalls still hold, those of time do not. */
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
