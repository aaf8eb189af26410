import { keysOfEnvelopes, streamOf } from "../../../src/advanced.js";
import type { InspectorDataSource, SessionSnapshot } from "../../../src/index.js";
import { envelope } from "../sample.js";

/** What a source does to its host, and what a client sees of it. */
export interface HostileCase {
  readonly name: string;
  /** Below the mount. */
  readonly path: string;
  readonly source: InspectorDataSource;
  readonly expected: number | "broken off";
  readonly timeoutMs?: number;
  /** What the host does with a failure. Default is what the inspector does by itself. */
  readonly onError?: (error: unknown) => unknown;
}

export const SESSIONS = "/sessions";
export const TRACE = "/sessions/s1/trace";
export const ORCHESTRATION = "/sessions/s1/orchestration";
export const MESSAGES = "/sessions/s1/messages";

/** How long a source that never answers is waited for. */
export const SHORT_MS = 50;

export const envelopes = [0, 1, 2, 3].map((n) => envelope(n));

/** Records that are too long for one batch. */
export const long = Array.from({ length: 6 }, (_, n) => ({
  role: "user",
  content: String(n).repeat(200_000),
}));

export const FIVE: InspectorDataSource = {
  listSessions: async () => [],
  loadTraceEnvelopes: async () => envelopes,
  loadOrchestrationEvents: async () => [],
  loadOrchestrationState: async () => null,
  loadMessages: async () => long,
};

export const SNAPSHOT: SessionSnapshot = {
  revision: undefined,
  trace: async () => ({ ...streamOf(envelopes), keys: keysOfEnvelopes(envelopes) }),
  messages: async () => streamOf(long),
  orchestration: async () => ({ events: streamOf([]), state: async () => null }),
};

/** A source with one session; what it is made of may be anything. */
export function opening(parts: object): InspectorDataSource {
  return { ...FIVE, openSession: async () => ({ ...SNAPSHOT, ...parts }) };
}

export const withMessages = (stream: unknown) => opening({ messages: async () => stream });
export const withTrace = (parts: object) =>
  opening({ trace: async () => ({ ...streamOf(envelopes), keys: keysOfEnvelopes(envelopes), ...parts }) });
export const withLog = (parts: object) =>
  opening({ orchestration: async () => ({ events: streamOf([]), state: async () => null, ...parts }) });

export function shape(
  name: string,
  path: string,
  source: unknown,
  expected: HostileCase["expected"] = 500,
): HostileCase {
  return { name, path, source: source as InspectorDataSource, expected };
}
