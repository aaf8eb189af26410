import type { SpanKind, SpanTotals } from "../../../../src/domain/spans/span.js";
import type { BookkeepingCounts, TraceRow } from "../../engine/trace/trace-protocol.js";
import { STRINGS } from "../../strings/strings.js";

const { trace, kinds, textKinds } = STRINGS;

/** "61 tool calls, 1 sub-agent". A sub-agent does not count itself. */
export function contentsOf(totals: SpanTotals, kind: SpanKind): string {
  const subAgents = totals.subAgents - (kind === "agent" ? 1 : 0);
  const parts = [
    totals.toolCalls > 0 && trace.toolCalls(totals.toolCalls),
    totals.llmCalls > 0 && trace.llmCalls(totals.llmCalls),
    subAgents > 0 && trace.subAgents(subAgents),
    totals.compactions > 0 && trace.compactions(totals.compactions),
    totals.errors > 0 && STRINGS.header.errors(totals.errors),
  ];
  return trace.summary(parts.filter((part) => part !== false));
}

export function bookkeepingOf({ hooks, others, failed }: BookkeepingCounts): string {
  const parts = [
    hooks > 0 && trace.hooks(hooks),
    others > 0 && trace.records(others),
    failed > 0 && trace.failedOf(failed),
  ];
  return trace.summary(parts.filter((part) => part !== false));
}

export function rowTitle(row: TraceRow, asList: boolean): string {
  if (asList || row.kind === "unknown") return row.name === "" ? row.type : `${row.type} ${row.name}`;
  switch (row.kind) {
    case "tool":
    case "agent":
    case "skill":
    case "span":
    case "evaluation":
      return row.name || kinds[row.kind];
    case "llm":
      return shortModel(row.name) || kinds.llm;
    case "text":
      return textKinds.get(row.name) ?? textKinds.get(row.type) ?? kinds.text;
    case "group":
      return row.repeats === undefined ? `${row.children} × ${row.name}` : row.name || kinds.tool;
    default:
      return kinds[row.kind];
  }
}

function shortModel(model: string): string {
  return model.replace(/-\d{8}$/, "");
}
