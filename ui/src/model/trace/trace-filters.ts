import {
  durationMs,
  failedBookkeeping,
  type Span,
  type SpanKind,
  spanError,
} from "../../../../src/domain/spans/span.js";
import { type AddressQuery, MAIN_AGENT } from "../address/address.js";
import { repeatedCall } from "./fold-runs.js";

/** An empty list filters nothing. */
export interface TraceFilters {
  readonly kinds: readonly SpanKind[];
  readonly hidden: readonly SpanKind[];
  readonly tools: readonly string[];
  /** `""` is the main agent; `undefined` all. */
  readonly agent: string | undefined;
  readonly errorsOnly: boolean;
  readonly from: number | undefined;
  readonly to: number | undefined;
}

export const ALL_SPANS: TraceFilters = {
  kinds: [],
  hidden: [],
  tools: [],
  agent: undefined,
  errorsOnly: false,
  from: undefined,
  to: undefined,
};

export function readFilters(query: AddressQuery): TraceFilters {
  return {
    kinds: listOf(query.kind) as SpanKind[],
    hidden: listOf(query.hide) as SpanKind[],
    tools: listOf(query.tool),
    agent: query.agent === undefined ? undefined : query.agent === MAIN_AGENT ? "" : query.agent,
    errorsOnly: query.errors === "1",
    from: instantIn(query.from),
    to: instantIn(query.to),
  };
}

/** @returns entries of a query; undefined for unset filters */
export function writeFilters(filters: TraceFilters): { readonly [name: string]: string | undefined } {
  return {
    kind: filters.kinds.join(",") || undefined,
    hide: filters.hidden.join(",") || undefined,
    tool: filters.tools.map(encodeURIComponent).join(",") || undefined,
    agent: filters.agent === "" ? MAIN_AGENT : filters.agent,
    errors: filters.errorsOnly ? "1" : undefined,
    from: filters.from?.toFixed(0),
    to: filters.to?.toFixed(0),
  };
}

export function filtersAnything(filters: TraceFilters): boolean {
  return (
    filters.kinds.length > 0 ||
    filters.hidden.length > 0 ||
    filters.tools.length > 0 ||
    filters.agent !== undefined ||
    filters.errorsOnly ||
    filters.from !== undefined ||
    filters.to !== undefined
  );
}

/** Ancestors of matches are displayed, too. */
export function matchesFilters(span: Span, filters: TraceFilters): boolean {
  const { kinds, tools, agent, errorsOnly, from, to } = filters;
  if (kinds.length > 0 && !kinds.includes(displayedKind(span))) return false;
  if (isHidden(span, filters)) return false;
  // A run of equal calls matches as its calls do.
  const step = repeatedCall(span) ?? span;
  if (tools.length > 0 && !(step.kind === "tool" && tools.includes(step.name))) return false;
  if (agent !== undefined && span.agentId !== agent) return false;
  if (errorsOnly && !hasFailed(step)) return false;
  if (from !== undefined && span.start.at + durationMs(span) < from) return false;
  return !(to !== undefined && span.start.at > to);
}

/** Filters by kind select only the span itself. */
export function matchesBeside(record: Span, filters: TraceFilters): boolean {
  return matchesFilters(record, { ...filters, kinds: [], hidden: [], tools: [], agent: undefined });
}

export function isHidden(span: Span, { hidden }: TraceFilters): boolean {
  return hidden.length > 0 && hidden.includes(displayedKind(span));
}

/** A run has the kind of its parts; an event of a sub-agent is not a sub-agent. */
export function displayedKind({ kind, start }: Span): SpanKind {
  const displayed = kind === "group" ? start.kind : kind;
  return displayed === "agent" && start.phase !== "start" ? "unknown" : displayed;
}

/** Includes bookkeeping: a failed hook is never hidden. */
function hasFailed(span: Span): boolean {
  return (spanError(span) !== undefined && span.totals.errors > 0) || failedBookkeeping(span) > 0;
}

function listOf(text: string | undefined): string[] {
  if (text === undefined || text === "") return [];
  return text.split(",").map(decodeLeniently);
}

/** A typed address may contain a bare percent sign. */
function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

function instantIn(text: string | undefined): number | undefined {
  const instant = Number(text);
  return text === undefined || !Number.isFinite(instant) ? undefined : instant;
}
