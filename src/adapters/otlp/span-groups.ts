import { isPause } from "../../domain/lists/is-pause.js";
import { possibleId } from "../../recording/session-writer.js";
import { sessionsOfRuns, sessionsOfSteps } from "./group-sessions.js";
import type { IndexedSpan } from "./read-spans.js";
import { tenantsOf } from "./span-owners.js";

export interface SpanGroup {
  readonly tenantId: string;
  readonly name: string;
  readonly count: number;
  /** Content sum: with `count`, it changes whenever a span is added or sent again. */
  readonly sum: number;
  readonly traces: readonly (readonly IndexedSpan[])[];
  /** Latest start or end, in milliseconds since the epoch. */
  readonly newest: number;
  readonly bytes: number;
  /** True if no span of the tenant belongs to a run: each trace is then a session of its steps. */
  readonly isOfSteps: boolean;
  readonly sessionIds: readonly string[];
}

interface TenantTraces {
  readonly tenantId: string;
  readonly name: string;
  readonly traces: (readonly IndexedSpan[])[];
}

/** Joins the spans of a trace across files, and the traces of a session. It never joins two tenants, even with equal IDs. */
export function* groupSpans(files: Iterable<readonly IndexedSpan[]>): Generator<void, SpanGroup[]> {
  const { traces, names, tenantsWithRuns } = yield* findTraces(files);
  const joined = names === undefined ? traces : joinedTraces(traces, names);
  yield;
  const groups: SpanGroup[] = [];
  for (const group of joined) {
    groups.push(groupOf(group, !tenantsWithRuns.has(group.tenantId)));
    if (isPause(groups.length)) yield;
  }
  return groups;
}

function joinedTraces(all: readonly TenantTraces[], names: JoinedNames): Iterable<TenantTraces> {
  const byName = new Map<string, TenantTraces>();
  for (const { tenantId, name, traces } of all) {
    const first = names.first(nameOf(tenantId, name));
    const group = byName.get(first);
    if (group !== undefined) group.traces.push(...traces);
    else byName.set(first, { tenantId, name: first.slice(tenantId.length + 1), traces: [...traces] });
  }
  return byName.values();
}

function groupOf({ tenantId, name, traces }: TenantTraces, isOfSteps: boolean): SpanGroup {
  let count = 0;
  let sum = 0;
  let newest = 0;
  let bytes = 0;
  let last: object | undefined;
  for (const spans of traces) {
    count += spans.length;
    for (const { place, index, startedAt, endedAt = 0 } of spans) {
      sum = (sum + place.digest + index) % MOST_SUM;
      newest = Math.max(newest, startedAt, endedAt);
      if (place !== last) bytes += place.length;
      last = place;
    }
  }
  return {
    tenantId,
    name,
    count,
    sum,
    traces,
    newest: Math.floor(newest),
    bytes,
    isOfSteps,
    sessionIds: isOfSteps ? sessionsOfSteps(traces) : sessionsOfRuns(traces),
  };
}

const MOST_SUM = 2 ** 52;

function* findTraces(files: Iterable<readonly IndexedSpan[]>) {
  let names: JoinedNames | undefined;
  const traces: TenantTraces[] = [];
  const tenants = new TenantIds();
  const tenantsWithRuns = new Set<string>();
  const add = (tenantId: string, spans: readonly IndexedSpan[]) => {
    const name = spans[0]!.traceId;
    for (const { sessionId, isOfRun } of spans) {
      if (isOfRun) tenantsWithRuns.add(tenantId);
      if (sessionId === undefined) continue;
      names ??= new JoinedNames();
      names.join(nameOf(tenantId, name), nameOf(tenantId, sessionId));
    }
    traces.push({ tenantId, name, traces: [spans] });
  };
  let count = 0;
  for (const traceFiles of yield* byTrace(files)) {
    if (traceFiles.length === 1) add(tenants.of(traceFiles[0]!, traceFiles[0]!.tenantId), traceFiles);
    else for (const [tenantId, spans] of yield* byTenant(traceFiles, tenants)) add(tenantId, spans);
    if (isPause(++count)) yield;
  }
  return { traces, names, tenantsWithRuns };
}

const nameOf = (tenantId: string, id: string) => `${tenantId}\0${id}`;

function* byTrace(
  files: Iterable<readonly IndexedSpan[]>,
): Generator<void, Iterable<readonly IndexedSpan[]>> {
  const traces = new Map<string, IndexedSpan[]>();
  let count = 0;
  for (const spans of files) {
    for (const span of spans) {
      const trace = traces.get(span.traceId);
      if (trace === undefined) traces.set(span.traceId, [span]);
      else trace.push(span);
      if (isPause(++count)) yield;
    }
  }
  return traces.values();
}

function* byTenant(
  traceFiles: readonly IndexedSpan[],
  ids: TenantIds,
): Generator<void, Iterable<readonly [tenantId: string, spans: readonly IndexedSpan[]]>> {
  const tenants = yield* tenantsOf(traceFiles);
  const traces = new Map<string, Map<string, IndexedSpan>>();
  for (const [i, span] of traceFiles.entries()) {
    const tenantId = ids.of(span, tenants[i]);
    const trace = traces.get(tenantId) ?? new Map<string, IndexedSpan>();
    traces.set(tenantId, trace);
    const other = trace.get(span.spanId);
    // For a span that was sent again, the version that ended later is more complete; otherwise the last version counts.
    if ((other?.endedAt ?? 0) <= (span.endedAt ?? 0)) trace.set(span.spanId, span);
    if (isPause(i)) yield;
  }
  return [...traces].map(([tenantId, spans]) => [tenantId, [...spans.values()]]);
}

class TenantIds {
  readonly #ids = new Map<string, string>();

  of({ ownTenantId }: IndexedSpan, tenantId: string | undefined): string {
    const name = tenantId ?? ownTenantId ?? "default";
    const existing = this.#ids.get(name);
    if (existing !== undefined) return existing;
    const id = possibleId(name);
    this.#ids.set(name, id);
    return id;
  }
}

class JoinedNames {
  readonly #parents = new Map<string, string>();

  join(a: string, b: string): void {
    const [first, second] = [this.first(a), this.first(b)].sort() as [string, string];
    if (first !== second) this.#parents.set(second, first);
  }

  first(name: string): string {
    let top = name;
    for (let next = this.#parents.get(top); next !== undefined; next = this.#parents.get(top)) top = next;
    if (top !== name) this.#parents.set(name, top);
    return top;
  }
}
