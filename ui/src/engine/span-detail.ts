import { recordedContext } from "../../../src/domain/conversation/recorded-context.js";
import { isJsonObject, objectField } from "../../../src/domain/json/json.js";
import type { Span } from "../../../src/domain/spans/span.js";
import { textLine } from "../../../src/domain/text/subject-line.js";
import { hasLine } from "../model/trace-rows.js";
import { readAnswer } from "./answer.js";
import { cutStrings, parseExactly } from "./record-json.js";
import type { BookkeepingList, SpanDetail } from "./trace-protocol.js";
import { type RowContext, traceRow } from "./trace-row.js";

/** The details of a step list so much of its bookkeeping. */
const MAX_RECORDS = 200;

/** @param records the envelopes of the trace as JSON text */
export function spanDetail(
  span: Span,
  records: readonly string[],
  context: RowContext,
): Omit<SpanDetail, "modelCall"> {
  const start = cutStrings(parseExactly(records[span.start.index]!));
  const hasEnd = span.end !== undefined && span.end !== span.start;
  const end = hasEnd ? cutStrings(parseExactly(records[span.end!.index]!)) : undefined;
  const ancestors: { id: string; kind: Span["kind"]; name: string }[] = [];
  for (let at = span.parent; at !== undefined; at = at.parent) {
    ancestors.unshift({ id: at.id, kind: at.kind, name: at.name });
  }
  const parts = span.children.filter(hasLine).length;
  return {
    row: traceRow({ span, depth: 0, aside: false, parts, folded: false }, context),
    start: start.value,
    end: end?.value,
    cut: start.cut || end?.cut === true,
    answer: readAnswer(span, (index) => records[index]!, context.directoryOf(span.start.traceId)),
    bookkeeping: bookkeepingOf(span),
    given: span.kind === "llm" ? givenMembers(start.value, end?.value) : [],
    ancestors,
  };
}

function givenMembers(...envelopes: readonly unknown[]): readonly string[] {
  const events = envelopes.filter(isJsonObject).map((envelope) => objectField(envelope, "event"));
  return recordedContext(events)?.members ?? [];
}

function bookkeepingOf({ bookkeeping }: Span): BookkeepingList {
  const records = bookkeeping.slice(0, MAX_RECORDS).map(({ id, start: { type, subject, error } }) => ({
    id,
    type,
    preview: textLine(subject).text,
    error,
  }));
  return { records, more: bookkeeping.length - records.length };
}
