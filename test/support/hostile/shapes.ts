import { keysOfEnvelopes, streamOf } from "../../../src/advanced.js";
import type { TraceStream } from "../../../src/index.js";
import { envelope } from "../sample.js";
import {
  envelopes,
  FIVE,
  type HostileCase,
  long,
  MESSAGES,
  ORCHESTRATION,
  opening,
  SESSIONS,
  SNAPSHOT,
  shape,
  TRACE,
  withLog,
  withMessages,
  withTrace,
} from "./case.js";
import { fail, rejecting } from "./values.js";

const LISTS = [
  ["listSessions", SESSIONS],
  ["loadTraceEnvelopes", TRACE],
  ["loadOrchestrationEvents", TRACE],
  ["loadMessages", MESSAGES],
] as const;

const NO_ARRAYS = {
  "a string": "abc",
  "an object with a length": { length: 3 },
  "a generator": [1].values(),
  "an array of promises": [Promise.resolve(1)],
};

export const LISTS_OF_NO_RECORDS = LISTS.flatMap(([member, path]) =>
  Object.entries(NO_ARRAYS).map(([name, list]) =>
    shape(`${member} gives ${name}`, path, { ...FIVE, [member]: async () => list }),
  ),
);

const keys = keysOfEnvelopes(envelopes);
export const TRACE_KEYS = Object.entries({
  "no keys": undefined,
  "keys that are a number": 42,
  "keys that are a string": "keys",
  "keys of another size": keysOfEnvelopes(envelopes.slice(1)),
  "keys with a short column": { ...keys, instants: new Float64Array(1) },
  "keys without a column": { ...keys, sequences: undefined },
  "keys without trace ids": { ...keys, traceIds: undefined },
  "unsorted keys of traces that are not there": {
    ...keys,
    traces: Uint32Array.of(0, 1_000_000_000, 0, 0),
    instants: new Float64Array(4).fill(Number.NaN),
  },
  "keys of traces that are not there": {
    ...keys,
    traces: new Uint32Array(4).fill(4_000_000_000),
    instants: new Float64Array(4),
  },
}).map(([name, given]) => shape(`a trace has ${name}`, TRACE, withTrace({ keys: given })));

const many = Array.from({ length: 20_000 }, (_, n) => envelope(n));
const uncloneable: TraceStream = {
  ...streamOf(many),
  keys: { ...keysOfEnvelopes(many), extra: fail } as TraceStream["keys"],
};

export const MEMBERS_OF_OTHER_SHAPE: readonly HostileCase[] = [
  shape("a snapshot has a revision that rejects", TRACE, {
    ...FIVE,
    openSession: async () => ({ ...SNAPSHOT, revision: rejecting() }),
  }),
  shape("a snapshot has a revision that is a number", TRACE, opening({ revision: 5 })),
  shape("a snapshot is null", TRACE, { ...FIVE, openSession: async () => null }),
  shape("a snapshot is empty", MESSAGES, { ...FIVE, openSession: async () => ({}) }),
  shape("a list has a revision that is a number", SESSIONS, { ...FIVE, revision: async () => 5 }),
  shape(
    "a stream has members that reject",
    MESSAGES,
    opening({ messages: async () => ({ size: rejecting(), warnings: rejecting() }) }),
  ),
  shape("a stream has no warnings", MESSAGES, withMessages({ ...streamOf(long), warnings: undefined })),
  shape(
    "a stream has warnings that cannot be JSON",
    MESSAGES,
    withMessages({ ...streamOf(long), warnings: [1n] }),
  ),
  shape(
    "a trace has keys and a size that reject",
    TRACE,
    opening({ trace: async () => ({ size: rejecting(), keys: rejecting() }) }),
  ),
  shape(
    "a log has events that reject",
    ORCHESTRATION,
    opening({ orchestration: async () => ({ events: rejecting(), state: async () => null }) }),
  ),
  shape("a log has no events", ORCHESTRATION, withLog({ events: undefined })),
  shape("a state has no agents", ORCHESTRATION, withLog({ state: async () => ({ snapshot: {} }) })),
  shape(
    "a state has a snapshot that rejects",
    ORCHESTRATION,
    withLog({ state: async () => ({ snapshot: rejecting() }) }),
  ),
  shape(
    "a state has warnings that are a string",
    ORCHESTRATION,
    withLog({ state: async () => ({ snapshot: { agents: {} }, warnings: "none" }) }),
  ),
  shape("a page has no items", SESSIONS, { ...FIVE, findSessions: async () => ({}) }),
  shape("a page has items that reject", SESSIONS, {
    ...FIVE,
    findSessions: async () => ({ items: rejecting() }),
  }),
  shape(
    "a member is a getter that throws",
    TRACE,
    Object.defineProperty({ ...FIVE }, "openSession", { get: fail }),
  ),
  shape("long keys cannot be given to a thread", TRACE, opening({ trace: async () => uncloneable }), 503),
];
