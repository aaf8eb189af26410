import { hash53 } from "../text/fingerprints.js";

/** Ids are compared as recorded. */
export interface CallKey {
  readonly traceId: string;
  /** `""` for the main agent. */
  readonly agentId: string;
  /** `""` for a nameless call: the agent's next step answers it. */
  readonly callId: string;
}

export interface CallStart extends CallKey {
  /** `""` for a model call. */
  readonly toolName: string;
  /** Milliseconds since the epoch, as all instants here. */
  readonly at: number;
  /** Time limit; absent if not recorded. */
  readonly until?: number | undefined;
  /** Equal for equal inputs of one tool; absent if not recorded. */
  readonly input?: number | undefined;
}

/** Calls of one agent in a row, with one input and one result. Other members are those of the newest call. */
export interface CallSeries extends CallStart {
  readonly result: number;
  readonly times: number;
  /** Start of the first one. */
  readonly since: number;
}

/** Bounds the agents. */
const MOST_SERIES = 20;

export function isSame(a: CallKey, b: CallKey): boolean {
  return a.callId === b.callId && isOfAgent(a, b);
}

function isOfAgent(a: CallKey, b: CallKey): boolean {
  return a.traceId === b.traceId && a.agentId === b.agentId;
}

/** A call with another input ends the series of its agent. */
export function beginInSeries(series: readonly CallSeries[] = [], call: CallStart): readonly CallSeries[] {
  const goesOn = series.every((one) => !isOfAgent(one, call) || one.input === call.input);
  return goesOn ? series : series.filter((one) => !isOfAgent(one, call));
}

export function endInSeries(
  series: readonly CallSeries[] = [],
  call: CallStart,
  result: number | undefined,
): readonly CallSeries[] {
  const before = series.find((one) => isOfAgent(one, call));
  const others = before === undefined ? series : series.filter((one) => one !== before);
  const { input, at } = call;
  if (input === undefined || result === undefined) return others;
  const last = before?.input === input && before.result === result ? before : undefined;
  const next = { ...call, result, times: (last?.times ?? 0) + 1, since: last?.since ?? at };
  return [...others, next].slice(-MOST_SERIES);
}

const SAMPLE = 256;

/**
 * Equal for equal texts. Of a long text only the length and both ends count, because a list reads many of them.
 * @param name distinguishes equal texts. Default is `""`
 */
export function textKey(text: string | undefined, name = ""): number | undefined {
  return text === undefined ? undefined : hash53(`${name}\n${sampleOf(text)}`);
}

/** The text, or the length and both ends of a long one. */
export function sampleOf(text: string): string {
  return text.length <= 2 * SAMPLE ? text : text.length + text.slice(0, SAMPLE) + text.slice(-SAMPLE);
}
