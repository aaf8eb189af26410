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
