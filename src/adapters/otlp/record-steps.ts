import type { SessionStore } from "../../application/ports/session-store.js";
import type { RecordedTrace } from "../../application/recording/recorded-session.js";
import { SessionRecorder } from "../../application/recording/session-recorder.js";
import { settled } from "../../application/threads/slices.js";
import { evaluationEvents, stepEvent } from "../../recording/record-step.js";
import type { RunSpanResult } from "../../recording/run-span.js";
import { outcomeOf } from "../../recording/span-outcome.js";
import { resultOf } from "../spans/span-facts.js";
import { sessionOfSteps } from "./group-sessions.js";
import type { IndexedSpan } from "./read-spans.js";
import { EVENTS_PER_FLUSH } from "./record-runs.js";
import type { ReportedGroup } from "./span-group.js";
import { orderSpans } from "./span-order.js";

/** Records a group without runs: each trace unchanged, with a step for each ended span. */
export function* tellSteps(spanGroup: ReportedGroup, store: SessionStore): Generator<unknown, void> {
  const { clock, onError } = spanGroup;
  const recorder = new SessionRecorder(store, { clock, onError });
  const traces = new Map<string, RecordedTrace>();
  const failed = new Set<string>();
  let events = 0;
  for (const { span, isEnd } of yield* orderSpans(spanGroup.group.traces)) {
    const { traceId, parentSpanId, stored, from, to } = span;
    if (stored === undefined) continue;
    spanGroup.now = Math.floor(isEnd ? to! : from);
    const trace = traces.get(traceId) ?? (yield* settled(openTrace(spanGroup, recorder, stored)));
    traces.set(traceId, trace);
    if (!isEnd) continue;
    const result: RunSpanResult = spanGroup.read(stored, resultOf, nameAlone);
    const { name = "", operation, query, attributes, error } = result;
    const id = spanGroup.idOf(traceId, span.spanId);
    const parentId = parentSpanId === undefined ? undefined : spanGroup.idOf(traceId, parentSpanId);
    const isOwnError = !failed.has(id);
    if (parentId !== undefined && (error !== undefined || !isOwnError)) failed.add(parentId);
    const step = {
      id,
      parentId,
      name,
      operation,
      query,
      attributes,
      startedAt: Math.floor(stored.startedAt),
    };
    for (const { event, at } of evaluationEvents(id, result, spanGroup.now)) trace.record(event, { at });
    trace.record(stepEvent(step, spanGroup.now, { ...outcomeOf({ error }), isOwnError }));
    yield;
    if (++events % EVENTS_PER_FLUSH === 0) yield* settled(recorder.flush());
  }
  yield* settled(recorder.flush());
}

async function openTrace(
  spanGroup: ReportedGroup,
  recorder: SessionRecorder,
  first: IndexedSpan,
): Promise<RecordedTrace> {
  const { tenantId } = spanGroup.group;
  const { traceId } = first;
  const identity = spanGroup.identityOf(traceId);
  const sessionId = sessionOfSteps(traceId, identity);
  const { userId } = identity;
  const { name } = spanGroup.read(first, nameAlone, nameAlone);
  const session = await recorder.open({ tenantId, sessionId, userId, title: name || undefined });
  return session.startTrace(traceId);
}

const nameAlone = ({ name }: { readonly name: string }): RunSpanResult => ({ name });
