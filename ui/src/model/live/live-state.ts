import type { SessionStatus } from "../../../../src/domain/session/session.js";
import type { Span } from "../../../../src/domain/spans/span.js";
import type { LiveFacts } from "./live-facts.js";

/**
 * - `running`: work is running, according to the records.
 * - `waiting`: a person received a question, and has not answered.
 * - `stalled`: work has taken longer than any similar work in this session.
 * - `looping`: the newest calls repeat one call with one result.
 * - `failed`: the newest run or turn ended in an error.
 * - `done`: all that began has ended.
 * - `unknown`: something has no recorded end, and may still run.
 */
export type LiveKind = "running" | "waiting" | "stalled" | "looping" | "failed" | "done" | "unknown";

export interface LiveState {
  readonly kind: LiveKind;
  /** Start, in milliseconds since the epoch; `undefined` if not recorded. */
  readonly since: number | undefined;
  /** The open span, the question, the last repeated call, or the failure. */
  readonly spanId: string | undefined;
  /** Open or repeated tool; `""` without one. */
  readonly toolName: string;
  /** One line; `""` if not recorded. */
  readonly question: string;
  /** Of `looping`: how often. Else 0. */
  readonly times: number;
  /** Only for `stalled`: the tool's longest time in this session, in milliseconds; `undefined` if it never ended. */
  readonly longestMs: number | undefined;
}

/** Work stalls after this multiple of its longest duration, and this minimum time. */
const STALL_FACTOR = 3;
const LEAST_STALL_MS = 60_000;
/** After this time without events, the process has probably ended without a record. */
const MOST_STALL_MS = 86_400_000;

export interface LiveItem {
  readonly status: SessionStatus | undefined;
  readonly waitingFor: string | undefined;
}

/**
 * @param questionOf question of a span to a person; `""` if not recorded
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

/** The open call takes too long, or between calls the model. */
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
