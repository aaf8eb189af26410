import { recordedContext } from "../../../../src/domain/conversation/recorded-context.js";
import { isJsonObject, type JsonObject, objectField } from "../../../../src/domain/json/json.js";
import { recordedContent, textWithin } from "../../../../src/domain/spans/preview.js";
import type { Span } from "../../../../src/domain/spans/span.js";
import { subjectLine, textLine } from "../../../../src/domain/text/subject-line.js";
import { valueText } from "../../../../src/domain/text/value-text.js";
import { hasLine } from "../../model/trace/trace-rows.js";
import { cutStrings, eventIn, parseExactly } from "../records/record-json.js";
import type { BookkeepingList, CallAnswer, SpanDetail } from "./trace-protocol.js";
import { type RowContext, traceRow } from "./trace-row.js";

const MAX_RECORDS = 200;

/** @param records envelopes as JSON text */
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
    inputs: span.kind === "llm" ? inputMembers(start.value, end?.value) : [],
    ancestors,
  };
}

function inputMembers(...envelopes: readonly unknown[]): readonly string[] {
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

const MAX_PARTS = 50;

/** @param record envelope by index, as JSON text */
function readAnswer(
  span: Span,
  record: (index: number) => string,
  directory: string,
): CallAnswer | undefined {
  const { kind, children, calls = [] } = span;
  const visible = children.filter((child) => child.kind === "text" && hasLine(child));
  if (kind !== "llm" || visible.length + calls.length === 0) return undefined;
  const texts = visible.slice(0, MAX_PARTS).map(({ id, start }) => {
    return { id, type: start.type, text: textOf(eventIn(record(start.index))) };
  });
  const named = calls.slice(0, MAX_PARTS).map(({ id, name, start }) => {
    return { id, name, preview: subjectLine(start.subject, directory).text };
  });
  const more = visible.length + calls.length - texts.length - named.length;
  return { texts, calls: named, more };
}

function textOf(event: JsonObject): string {
  const text = valueText(cutStrings(event.text || event.thinking).value);
  return text === "" ? textWithin(recordedContent(event)) : text;
}
