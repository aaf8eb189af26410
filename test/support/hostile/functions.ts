import { streamOf } from "../../../src/advanced.js";
import type { InspectorDataSource } from "../../../src/index.js";
import {
  FIVE,
  type HostileCase,
  long,
  MESSAGES,
  ORCHESTRATION,
  opening,
  SESSIONS,
  SHORT_MS,
  shape,
  TRACE,
  withLog,
  withMessages,
  withTrace,
} from "./case.js";
import { fail, MISBEHAVIOURS, rejecting, untouchable } from "./values.js";

const MEMBERS: readonly (readonly [
  name: string,
  path: string,
  source: (member: never) => InspectorDataSource,
])[] = [
  ["listSessions", SESSIONS, (member) => ({ ...FIVE, listSessions: member })],
  ["findSessions", SESSIONS, (member) => ({ ...FIVE, findSessions: member })],
  ["revision", SESSIONS, (member) => ({ ...FIVE, revision: member })],
  ["loadTraceEnvelopes", TRACE, (member) => ({ ...FIVE, loadTraceEnvelopes: member })],
  ["loadOrchestrationEvents", TRACE, (member) => ({ ...FIVE, loadOrchestrationEvents: member })],
  ["loadOrchestrationState", ORCHESTRATION, (member) => ({ ...FIVE, loadOrchestrationState: member })],
  ["loadMessages", MESSAGES, (member) => ({ ...FIVE, loadMessages: member })],
  ["openSession", TRACE, (member) => ({ ...FIVE, openSession: member })],
  ["trace()", TRACE, (trace) => opening({ trace })],
  ["messages()", MESSAGES, (messages) => opening({ messages })],
  ["orchestration()", ORCHESTRATION, (orchestration) => opening({ orchestration })],
  ["orchestration().state()", ORCHESTRATION, (state) => withLog({ state })],
  ["messages().read()", MESSAGES, (read) => withMessages({ ...streamOf(long), read })],
  ["trace().read()", TRACE, (read) => withTrace({ read })],
];

/** Nothing is a valid answer here: no session, no state, no revision. */
const NOTHING_IS_AN_ANSWER: Readonly<Record<string, number>> = {
  revision: 200,
  openSession: 404,
  loadOrchestrationState: 200,
  "orchestration().state()": 200,
};

/** A source without one of the five is refused at the mount. */
const isMounted = (member: string, misbehaviour: string) =>
  misbehaviour !== "is no function" || !(member in FIVE);

export const FUNCTIONS = MEMBERS.flatMap(([member, path, source]) =>
  Object.entries(MISBEHAVIOURS)
    .filter(([misbehaviour]) => isMounted(member, misbehaviour))
    .map(([misbehaviour, value]): HostileCase => {
      const never = misbehaviour === "never answers";
      const nothing = misbehaviour === "gives undefined" ? NOTHING_IS_AN_ANSWER[member] : undefined;
      return {
        name: `${member} ${misbehaviour}`,
        path,
        source: source(value as never),
        expected: never ? 503 : (nothing ?? 500),
        ...(never ? { timeoutMs: SHORT_MS } : {}),
      };
    }),
);

/** Two members that fail at once: to await one must not leave the other's rejection unhandled. */
export const PAIRS: readonly HostileCase[] = [
  shape("openSession rejects and revision throws in sync", TRACE, {
    ...FIVE,
    openSession: rejecting,
    revision: fail,
  }),
  shape("findSessions rejects and revision throws in sync", SESSIONS, {
    ...FIVE,
    findSessions: rejecting,
    revision: fail,
  }),
  shape(
    "state() rejects and the events cannot be read",
    ORCHESTRATION,
    withLog({ state: rejecting, events: { ...streamOf([{ a: 1 }]), read: fail } }),
  ),
  shape(
    "the log rejects and the trace throws in sync",
    TRACE,
    opening({ orchestration: rejecting, trace: fail }),
  ),
];

const broken: InspectorDataSource = { ...FIVE, listSessions: rejecting };
export const HANDLERS: readonly HostileCase[] = [
  { ...shape("onError throws", SESSIONS, broken), onError: fail },
  { ...shape("onError rejects", SESSIONS, broken), onError: rejecting },
  {
    ...shape("onError throws a proxy that throws", SESSIONS, broken),
    onError: () => {
      throw untouchable();
    },
  },
];
