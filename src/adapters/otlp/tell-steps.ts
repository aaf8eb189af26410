import type { SessionStore } from "../../application/ports/session-store.js";
import { type RecordedTrace, SessionRecorder } from "../../application/recording/session-recorder.js";
import { settled } from "../../application/threads/slices.js";
import { stepEvent } from "../../recording/record-span.js";
import type { RunSpanResult } from "../../recording/run-span.js";
import { outcomeOf } from "../../recording/span-outcome.js";
import { resultOf } from "../spans/span-facts.js";
import { sessionOfSteps } from "./group-sessions.js";
import { orderSpans } from "./span-order.js";
import { EVENTS_PER_FLUSH } from "./tell-runs.js";
import type { ToldGroup } from "./told-group.js";

/** Records the spans of a group in which there is no run: each trace as it is, a step for each span that has ended. */
export function* tellSteps(told: ToldGroup, store: SessionStore): Generator<unknown, void> {
  const { group, clock, onError } = told;
  const recorder = new SessionRecorder(store, { clock, onError });
  const sessions = new Map(group.traces.map((trace) => [trace[0]!.traceId, sessionOfSteps(trace)]));
  const traces = new Map<string, RecordedTrace>();
  /** The spans of which a part has failed. */
  const failed = new Set<string>();
  let events = 0;
  for (const { span, isEnd } of yield* orderSpans(group.traces)) {
    const { traceId, parentSpanId, stored, from, to } = span;
    if (stored === undefined) continue;
    told.now = isEnd ? to! : from;
    if (!traces.has(traceId)) {
      const { userId } = told.identityOf(traceId);
      const title = told.read(
        stored,
        ({ name }) => name,
        () => "",
      );
      const sessionId = sessions.get(traceId)!;
      const opened = recorder.open({
        tenantId: group.tenantId,
        sessionId,
        userId,
        title: title || undefined,
        at: from,
      });
      traces.set(traceId, (yield* settled(opened)).startTrace(traceId));
    }
    if (!isEnd) continue;
    const { name, attributes, error } = told.read(stored, resultOf, nameAlone);
    const id = told.idOf(traceId, span.spanId);
    const parentId = parentSpanId === undefined ? undefined : told.idOf(traceId, parentSpanId);
    const isOwnError = !failed.has(id);
    if (parentId !== undefined && (error !== undefined || !isOwnError)) failed.add(parentId);
    const step = { id, parentId, name: name ?? "", attributes, startedAt: Math.floor(stored.startedAt) };
    traces.get(traceId)!.record(stepEvent(step, Math.floor(to!), { ...outcomeOf({ error }), isOwnError }), {
      at: Math.floor(to!),
    });
    yield;
    if (++events % EVENTS_PER_FLUSH === 0) yield* settled(recorder.flush());
  }
  yield* settled(recorder.flush());
}

const nameAlone = ({ name }: { readonly name: string }): RunSpanResult => ({ name });
