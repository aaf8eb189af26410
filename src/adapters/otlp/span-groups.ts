import { possibleId } from "../../recording/session-writer.js";
import type { IndexedSpan } from "./read-spans.js";
import { tenantsOf } from "./span-owners.js";

/** Traces of one tenant that are told to one recorder, because they share sessions. */
export interface SpanGroup {
  /** The same one whatever is added to the group, as long as its first trace is the same. */
  readonly key: string;
  /** The same without the tenant. */
  readonly name: string;
  readonly tenantId: string;
  /** Is another one whenever a span is added or sent again. */
  readonly stamp: string;
  /** The spans of each trace, each once. */
  readonly traces: readonly (readonly IndexedSpan[])[];
}

const SPANS_PER_PAUSE = 1_000;

/** Puts together the spans of a trace, in whichever files, and the traces of a session; never those of two tenants, whatever ids they share. */
export function* groupSpans(files: Iterable<readonly IndexedSpan[]>): Generator<void, SpanGroup[]> {
  const groups = new Groups();
  const traces: { readonly tenantId: string; readonly name: string; readonly spans: IndexedSpan[] }[] = [];
  for (const [traceId, told] of yield* byTrace(files)) {
    for (const [tenantId, spans] of yield* byTenant(told)) {
      const name = nameOf(tenantId, traceId);
      groups.join(name, name);
      for (const { sessionId } of spans)
        if (sessionId !== undefined) groups.join(name, nameOf(tenantId, sessionId));
      traces.push({ tenantId, name, spans });
      yield;
    }
  }
  const byKey = new Map<string, { readonly tenantId: string; readonly traces: IndexedSpan[][] }>();
  for (const { tenantId, name, spans } of traces) {
    const key = groups.nameOf(name);
    const group = byKey.get(key) ?? { tenantId, traces: [] };
    group.traces.push(spans);
    byKey.set(key, group);
    yield;
  }
  return [...byKey].map(([key, { tenantId, traces }]) => {
    return { key, name: key.slice(nameOf(tenantId, "").length), tenantId, stamp: stampOf(traces), traces };
  });
}

/** No tenant's id has a control character. */
const nameOf = (tenantId: string, id: string) => `${tenantId}\0${id}`;

function* byTrace(
  files: Iterable<readonly IndexedSpan[]>,
): Generator<void, ReadonlyMap<string, readonly IndexedSpan[]>> {
  const traces = new Map<string, IndexedSpan[]>();
  let count = 0;
  for (const spans of files) {
    for (const span of spans) {
      const trace = traces.get(span.traceId) ?? [];
      traces.set(span.traceId, trace);
      trace.push(span);
      if (++count % SPANS_PER_PAUSE === 0) yield;
    }
  }
  return traces;
}

/** The spans of a trace that are of each tenant, each once. */
function* byTenant(told: readonly IndexedSpan[]): Generator<void, Map<string, IndexedSpan[]>> {
  const tenants = yield* tenantsOf(told);
  const traces = new Map<string, Map<string, IndexedSpan>>();
  for (const [i, span] of told.entries()) {
    const tenantId = possibleId(tenants[i] ?? span.ownTenantId ?? "default");
    const trace = traces.get(tenantId) ?? new Map<string, IndexedSpan>();
    traces.set(tenantId, trace);
    const other = trace.get(span.spanId);
    // One that was sent again: the one that ended later is the fuller, else the last one counts.
    if ((other?.endedAt ?? 0) <= (span.endedAt ?? 0)) trace.set(span.spanId, span);
    if (i % SPANS_PER_PAUSE === 0) yield;
  }
  return new Map([...traces].map(([tenantId, spans]) => [tenantId, [...spans.values()]]));
}

function stampOf(traces: readonly (readonly IndexedSpan[])[]): string {
  let count = 0;
  let sum = 0;
  for (const { length } of traces) count += length;
  for (const spans of traces) for (const { stamp } of spans) sum = (sum + stamp) % Number.MAX_SAFE_INTEGER;
  return `${count}.${sum}`;
}

/** Names of traces and sessions that belong together: a union of disjoint sets. */
class Groups {
  readonly #parents = new Map<string, string>();

  join(a: string, b: string): void {
    const [first, second] = [this.nameOf(a), this.nameOf(b)].sort() as [string, string];
    if (first !== second) this.#parents.set(second, first);
  }

  nameOf(name: string): string {
    let top = name;
    for (let next = this.#parents.get(top); next !== undefined; next = this.#parents.get(top)) top = next;
    if (top !== name) this.#parents.set(name, top);
    return top;
  }
}
