import type { RunSpanFacts, RunSpanResult } from "../../recording/run-span.js";
import { otherAttributes } from "./other-attributes.js";
import type { RecordedSpan } from "./recorded-span.js";
import { type SpanMeaning, spanMeaning } from "./span-meaning.js";

/** What a recorder is told of a span that starts. */
export function factsOf(span: RecordedSpan): RunSpanFacts {
  return factsIn(span, spanMeaning(span));
}

/** What it is told of one that ends. */
export function resultOf(span: RecordedSpan): RunSpanResult {
  const meaning = spanMeaning(span);
  const { kind, output, messages, usage, stopReason, error } = meaning;
  const answer = messages?.output;
  return {
    ...factsIn(span, meaning),
    output,
    answer,
    usage,
    stopReason,
    error,
    otherAttributes: otherAttributes(span, kind),
  };
}

function factsIn({ attributes }: RecordedSpan, meaning: SpanMeaning): RunSpanFacts {
  const { kind, name, model, provider, toolCallId, input, messages, tenantId, sessionId, userId } = meaning;
  const given = messages === undefined || messages.input.length === 0 ? undefined : messages.input;
  return {
    kind,
    name,
    model,
    provider,
    toolCallId,
    input,
    messages: given,
    attributes,
    tenantId,
    sessionId,
    userId,
  };
}
