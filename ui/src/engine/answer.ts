import type { JsonObject } from "../../../src/domain/json/json.js";
import type { Span } from "../../../src/domain/spans/span.js";
import { recordedContent, textWithin } from "../../../src/domain/text/preview.js";
import { subjectLine } from "../../../src/domain/text/subject-line.js";
import { valueText } from "../../../src/domain/text/value-text.js";
import { hasLine } from "../model/trace-rows.js";
import { cutStrings, eventIn } from "./record-json.js";
import type { CallAnswer } from "./trace-protocol.js";

/** More texts or calls are in the trace alone. */
const MAX_PARTS = 50;

/**
 * What the events in a model call say, in their order, and the tools that it called.
 *
 * @param record the envelope of an event, as JSON text
 */
export function readAnswer(
  span: Span,
  record: (index: number) => string,
  directory: string,
): CallAnswer | undefined {
  const { kind, children, calls = [] } = span;
  const shown = children.filter(hasLine);
  if (kind !== "llm" || shown.length + calls.length === 0) return undefined;
  const texts = shown.slice(0, MAX_PARTS).map(({ id, start }) => {
    return { id, type: start.type, text: textOf(eventIn(record(start.index))) };
  });
  const named = calls.slice(0, MAX_PARTS).map(({ id, name, start }) => {
    return { id, name, preview: subjectLine(start.subject, directory).text };
  });
  const more = shown.length + calls.length - texts.length - named.length;
  return { texts, calls: named, more };
}

function textOf(event: JsonObject): string {
  const text = valueText(cutStrings(event.text || event.thinking).value);
  return text === "" ? textWithin(recordedContent(event)) : text;
}
