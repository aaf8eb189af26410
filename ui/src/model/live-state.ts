import type { SessionStatus } from "../../../src/domain/session/session.js";
import type { Span } from "../../../src/domain/spans/span.js";
import type { LiveFacts } from "./live-facts.js";

/**
 * - `running`: something goes on, as far as is recorded.
 * - `waiting`: a person was asked, and has not answered.
 * - `stalled`: what goes on has taken longer than the like of it ever took in this session.
 * - `looping`: the newest calls are one call with one result, again and again.
 * - `failed`: the newest run or turn ended in an error.
 * - `done`: all that began has ended.
 * - `unknown`: something has no recorded end, and nothing says whether it goes on.
 */
export type LiveKind = "running" | "waiting" | "stalled" | "looping" | "failed" | "done" | "unknown";

/** What a session is about at this moment. */
export interface LiveState {
  readonly kind: LiveKind;
  /** When that began, in milliseconds since the epoch; `undefined` where no instant says it. */
  readonly since: number | undefined;
  /** The span that shows it: what is open, what asks, the last of the calls that are repeated, what failed. */
  readonly spanId: string | undefined;
  /** The tool that is open or repeated; `""` where it is none. */
  readonly toolName: string;
  /** What a person was asked, in one line; `""` where that is not recorded. */
  readonly question: string;
  /** Of `looping`: how often. Else 0. */
  readonly times: number;
  /** Of `stalled`: the longest that this tool took in this session, in milliseconds; `undefined` where it never ended. */
  readonly longestMs: number | undefined;
}

/** What takes longer than this many times what it ever took, and longer than this, has stalled. */
const STALL_FACTOR = 3;
const LEAST_STALL_MS = 60_000;
/** What nothing has come of for longer has hardly stalled: whoever ran it has gone, and nothing recorded its end. */
const MOST_STALL_MS = 86_400_000;

/** What is known of a session beside its trace. */
export interface LiveItem {
  readonly status: SessionStatus | undefined;
  /** What its list says that a person is asked. */
  readonly waitingFor: string | undefined;
}

/**
 * What a session is about now.
 *
 * @param questionOf what a span asks a person; `""` where that is not recorded
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

/** Where what goes on has taken too long: the call that is open, or between two calls the model, which has to say something next. */
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
