import type { Query } from "../model/address.js";
import type { TraceQuery } from "./trace-protocol.js";

/** What of an address changes which rows there are; the selection does not. */
const ASKED = ["q", "kind", "tool", "agent", "errors", "from", "to"];

/** What an address asks of a trace. */
export function traceQuery(query: Query): TraceQuery {
  return {
    query: Object.fromEntries(Object.entries(query).filter(([name]) => ASKED.includes(name))),
    asList: query.order === "list",
    foldGaps: query.gaps !== "show",
  };
}

/** Equal for what asks the same. */
export function traceQueryKey({ query, asList, foldGaps }: TraceQuery): string {
  return JSON.stringify([Object.entries(query).sort(), asList, foldGaps]);
}
