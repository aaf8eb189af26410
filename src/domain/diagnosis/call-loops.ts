import { durationMs, type Span, spanError } from "../spans/span.js";
import type { TraceOfFailures } from "./failures.js";
import type { DiagnosedLoop } from "./session-diagnosis.js";

const LEAST_IN_A_ROW = 3;

interface Run {
  readonly key: string;
  readonly calls: Span[];
}

export function longestRuns(trace: TraceOfFailures): ReadonlyMap<string, number> {
  const longest = new Map<string, number>();
  for (const run of runsOf(trace.tools, (span) => spanError(span) !== undefined)) {
    for (const same of partsOf(run.calls, (span) => trace.inputOf(span))) {
      const input = trace.inputOf(same[0]!)!;
      longest.set(input, Math.max(longest.get(input) ?? 1, same.length));
    }
  }
  return longest;
}

/** Successful calls with the same result each time; longest runs first. */
export function callLoops(trace: TraceOfFailures): readonly DiagnosedLoop[] {
  const succeeded = runsOf(trace.tools, (span) => spanError(span) === undefined && span.end !== undefined);
  const loops = succeeded.flatMap(({ calls }) =>
    partsOf(calls, (span) => {
      const [input, result] = [trace.inputOf(span), trace.resultOf(span)];
      return input === undefined || result === undefined ? undefined : `${result} ${input}`;
    }),
  );
  return loops
    .map((calls) => ({
      name: calls[0]!.name,
      subject: calls[0]!.start.subject.text || (calls[0]!.start.subject.paths[0] ?? ""),
      times: calls.length,
      ms: calls.reduce((ms, span) => ms + durationMs(span), 0),
      first: trace.placeOf(calls[0]!),
    }))
    .sort((a, b) => b.times - a.times);
}

function runsOf(tools: readonly Span[], isSelected: (span: Span) => boolean): readonly Run[] {
  const open = new Map<string, Run>();
  const runs: Run[] = [];
  for (const span of tools) {
    const { subject } = span.start;
    const key = `${isSelected(span)} ${span.name}\n${subject.paths.join("\n")}\n${subject.text}`;
    const run = open.get(span.agentId);
    if (run?.key === key) run.calls.push(span);
    else {
      const next = { key, calls: [span] };
      open.set(span.agentId, next);
      if (isSelected(span)) runs.push(next);
    }
  }
  return runs.filter(({ calls }) => calls.length >= LEAST_IN_A_ROW);
}

function partsOf(calls: readonly Span[], keyOf: (span: Span) => string | undefined): readonly Span[][] {
  const parts: Span[][] = [];
  let last: string | undefined;
  for (const span of calls) {
    const key = keyOf(span);
    if (key !== undefined && key === last) parts.at(-1)!.push(span);
    else parts.push([span]);
    last = key;
  }
  return parts.filter((part) => part.length >= LEAST_IN_A_ROW);
}
