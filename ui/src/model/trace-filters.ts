import type { Query } from "./address.js";
import { durationMs, type Span, type SpanKind, spanError } from "./span.js";

/** Which spans of a trace are shown. An empty list filters nothing. */
export interface TraceFilters {
  readonly kinds: readonly SpanKind[];
  readonly tools: readonly string[];
  /** `""` is the main agent; `undefined` all. */
  readonly agent: string | undefined;
  readonly errorsOnly: boolean;
  readonly from: number | undefined;
  readonly to: number | undefined;
}

export const ALL_SPANS: TraceFilters = {
  kinds: [],
  tools: [],
  agent: undefined,
  errorsOnly: false,
  from: undefined,
  to: undefined,
};

/** The name that the main agent has in an address. */
const MAIN = "main";

export function readFilters(query: Query): TraceFilters {
  return {
    kinds: listOf(query.kind) as SpanKind[],
    tools: listOf(query.tool),
    agent: query.agent === undefined ? undefined : query.agent === MAIN ? "" : query.agent,
    errorsOnly: query.errors === "1",
    from: instantIn(query.from),
    to: instantIn(query.to),
  };
}

/** @returns the query entries of the filters; undefined for filters that are not set */
export function writeFilters(filters: TraceFilters): { readonly [name: string]: string | undefined } {
  return {
    kind: filters.kinds.join(",") || undefined,
    tool: filters.tools.map(encodeURIComponent).join(",") || undefined,
    agent: filters.agent === "" ? MAIN : filters.agent,
    errors: filters.errorsOnly ? "1" : undefined,
    from: filters.from?.toFixed(0),
    to: filters.to?.toFixed(0),
  };
}

export function filtersAnything(filters: TraceFilters): boolean {
  return (
    filters.kinds.length > 0 ||
    filters.tools.length > 0 ||
    filters.agent !== undefined ||
    filters.errorsOnly ||
    filters.from !== undefined ||
    filters.to !== undefined
  );
}

/** Whether the filters match a span itself; its ancestors are shown with it. */
export function matchesFilters(span: Span, filters: TraceFilters): boolean {
  if (filters.kinds.length > 0 && !filters.kinds.includes(span.kind)) return false;
  if (filters.tools.length > 0 && !(span.kind === "tool" && filters.tools.includes(span.name))) return false;
  if (filters.agent !== undefined && span.agentId !== filters.agent) return false;
  if (filters.errorsOnly && (spanError(span) === undefined || span.totals.errors === 0)) return false;
  if (filters.from !== undefined && span.start.at + durationMs(span) < filters.from) return false;
  return !(filters.to !== undefined && span.start.at > filters.to);
}

function listOf(text: string | undefined): string[] {
  if (text === undefined || text === "") return [];
  return text.split(",").map(decodeLeniently);
}

/** A hand-written address may hold a bare percent sign. */
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
