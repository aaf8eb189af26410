import type { SessionStatus } from "../../../src/domain/session/session.js";
import type { Span } from "../../../src/domain/spans/span.js";
import type { LiveFacts } from "./live-facts.js";

/**
 * - `running`: work is running, according to the records.
 * - `waiting`: a person received a question, and has not answered.
 * - `stalled`: running work has taken longer than any similar work in this session.
 * - `looping`: the newest calls repeat one call with one result.
 * - `failed`: the newest run or turn ended in an error.
 * - `done`: all that began has ended.
 * - `unknown`: something has no recorded end, and no record shows whether it is still running.
 */
export type LiveKind = "running" | "waiting" | "stalled" | "looping" | "failed" | "done" | "unknown";

/** Current activity of a session. */
export interface LiveState {
  readonly kind: LiveKind;
  /** When that began, in milliseconds since the epoch; `undefined` where no instant says it. */
  readonly since: number | undefined;
  /** The span that shows it: what is open, what asks, the last of the calls that are repeated, what failed. */
  readonly spanId: string | undefined;
  /** The open or repeated tool; `""` without a tool. */
  readonly toolName: string;
  /** The question to a person, in one line; `""` if it is not recorded. */
  readonly question: string;
  /** Of `looping`: how often. Else 0. */
  readonly times: number;
  /** Of `stalled`: the longest that this tool took in this session, in milliseconds; `undefined` where it never ended. */
  readonly longestMs: number | undefined;
}

/** Work has stalled after this multiple of its longest duration so far, and after this minimum time. */
const STALL_FACTOR = 3;
const LEAST_STALL_MS = 60_000;
/** Work without any event for longer has probably not stalled: its process has ended, and the end was not recorded. */
const MOST_STALL_MS = 86_400_000;

/** Facts about a session besides its trace. */
export interface LiveItem {
  readonly status: SessionStatus | undefined;
  /** The question to a person, according to the list. */
  readonly waitingFor: string | undefined;
}

/**
 * Returns the current activity of a session.
 *
 * @param questionOf returns the question of a span to a person; `""` if it is not recorded
 * @param now in milliseconds since the epoch
 */
export function liveState(
  facts: LiveFacts,
  { status, waitingFor }: LiveItem,
  questionOf: (span: Span) => string,
  now: number,
): LiveState {
  const { open, turn, asking, loop, failed, lastAt } = facts;
  if (status === "waiting" || asking !== undefined) {
    const span = asking ?? open;
    const question = (asking && questionOf(asking)) || waitingFor || "";
    return { ...stateOf("waiting", span, span?.start.at ?? lastAt), question };
  }
  const isUnended = open !== undefined || turn !== undefined || status === "running";
  if (!isUnended) {
    if (status === "error" || failed !== undefined) return stateOf("failed", failed, failed?.endAt ?? lastAt);
    return stateOf("done", undefined, lastAt);
  }
  if (loop.length > 0) return { ...stateOf("looping", loop.at(-1), loop[0]!.start.at), times: loop.length };
  const stalled = stalledState(facts, now);
  if (stalled !== undefined && (open !== undefined || status === "running")) return stalled;
  const span = open ?? turn;
  return stateOf(status === "running" ? "running" : "unknown", span, span?.start.at ?? lastAt);
}

/** Returns the state of work that takes too long: the open call, or between two calls the model, which has to respond next. */
function stalledState({ open, turn, longestMs, lastAt }: LiveFacts, now: number): LiveState | undefined {
  const since = open?.start.at ?? lastAt;
  const longest = longestMs.get(open?.kind === "tool" ? open.name : "");
  if (longest === undefined || now - lastAt > MOST_STALL_MS) return undefined;
  if (now - since <= Math.max(LEAST_STALL_MS, longest * STALL_FACTOR)) return undefined;
  return { ...stateOf("stalled", open ?? turn, since), longestMs: longest };
}

function stateOf(kind: LiveKind, span: Span | undefined, since: number): LiveState {
  const toolName = span?.kind === "tool" ? span.name : "";
  return { kind, since, spanId: span?.id, toolName, question: "", times: 0, longestMs: undefined };
}
