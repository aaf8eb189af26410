import { keysOfEnvelopes, streamOf } from "../../../src/advanced.js";
import type { InspectorDataSource, SessionSnapshot } from "../../../src/index.js";
import { envelope } from "../sample.js";

export interface HostileCase {
  readonly name: string;
  readonly path: string;
  readonly source: InspectorDataSource;
  readonly expected: number | "broken off";
  readonly timeoutMs?: number;
  /** Default is the inspector's own handler. */
  readonly onError?: (error: unknown) => unknown;
}

export const SESSIONS = "/sessions";
export const TRACE = "/sessions/s1/trace";
export const ORCHESTRATION = "/sessions/s1/orchestration";
export const MESSAGES = "/sessions/s1/messages";

/** Time limit for a source that never answers. */
export const SHORT_MS = 50;

export const envelopes = [0, 1, 2, 3].map((n) => envelope(n));

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

/** Its parts may be anything. */
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
