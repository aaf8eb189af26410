import { asideOf, askModel, beginSpan } from "./begin-span.js";
import type { OpenSpan } from "./open-span.js";
import type { Run } from "./run.js";
import type { RunSpanResult } from "./run-span.js";
import type { SessionWriters } from "./session-writer.js";

/** Records that a span ended, and what it told of itself only then. */
export function endSpan(span: OpenSpan, result: RunSpanResult, at: number, writers: SessionWriters): void {
  if (!span.isBegun) {
    span.learn(result);
    // What lies in an agent that is known only now has been recorded around it.
    if (span.kind === "agent" && span.run !== undefined) span.kind = "other";
    beginSpan(span, { ...result, kind: span.kind, name: span.name }, writers);
  }
  const { run } = span;
  if (span.kind === "model" && run !== undefined) endModel(span, run, result, at);
  else if (span.kind === "tool" && run !== undefined) endTool(span, run, result, at);
  else if (span.kind === "other") recordOther(span, result, at);
  if (span.began !== undefined) {
    const isAgent = span.kind === "agent" || span.kind === "turn";
    span.began.end(isAgent ? result : { error: result.error }, at);
  }
  span.leave(result.usage, result.error !== undefined, "ended");
}

function endModel(span: OpenSpan, run: Run, result: RunSpanResult, at: number): void {
  const { answer, usage, stopReason, error, model, provider, otherAttributes: attributes } = result;
  if (!span.hasInput) askModel(span, run, result, span.startedAt);
  if (answer !== undefined && answer.length > 0) run.answer(answer, at, asideOf(span));
  const reason = stopReason ?? (error === undefined ? undefined : "error");
  run.record(
    {
      type: "llm.end",
      callId: span.id,
      model,
      provider,
      usage: span.usageOfCall(usage),
      stopReason: reason,
      error,
      attributes,
    },
    at,
  );
}

function endTool(span: OpenSpan, run: Run, result: RunSpanResult, at: number): void {
  const { input, output, error, otherAttributes: attributes } = result;
  const given = output ?? error?.message;
  run.record(
    {
      type: "tool.end",
      toolCallId: span.toolCallId,
      toolName: span.name,
      input: span.hasInput ? undefined : input,
      output: given,
      isError: error !== undefined,
      attributes,
    },
    at,
  );
}

/** A span of which nothing more is known than its writer says, as one event. */
export function recordOther(span: OpenSpan, result: RunSpanResult | undefined, at: number): void {
  const { id, parentId, name, attributes, startedAt, run, tree, around } = span;
  const error = result?.error;
  // The call that it is a part of, or a part of it, says that it failed.
  const isOwn = !span.hasFailedPart && around?.kind !== "model" && around?.kind !== "tool";
  const event = {
    type: "span",
    name,
    spanId: id,
    parentSpanId: parentId,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.max(0, at - startedAt),
    attributes,
    isUnfinished: result === undefined ? true : undefined,
    error: isOwn ? error : undefined,
    failure: isOwn ? undefined : error?.message,
  };
  if (run === undefined) tree.addOutside((some) => some.record(event, at));
  else run.record(event, at);
}
