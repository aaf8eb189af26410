import { isJsonObject, jsonIn, labelField, objectField } from "../../domain/json/json.js";
import type { RunSpan, RunSpanResult } from "../../recording/run-span.js";
import type { RecordedSpan } from "../spans/recorded-span.js";

interface StreamedCall {
  readonly id: string;
  hasFailed: boolean;
}

const MOST_CALLS = 10_000;

/**
 * In the AI SDK 6, the span of an aborted run ends like any other, and the span of its model call never ends. If the stream of an object
 * breaks, only the model call reports it.
 */
export class AiSdkStreams {
  readonly #calls = new Map<string, StreamedCall>();

  start(span: RecordedSpan): void {
    const { parentSpanId, spanId } = span;
    if (parentSpanId === undefined || !/\.doStream$/.test(operationOf(span))) return;
    this.#calls.set(parentSpanId, { id: spanId, hasFailed: false });
    if (this.#calls.size > MOST_CALLS) this.#calls.delete(this.#calls.keys().next().value!);
  }

  /**
   * @param result end of the span, by its own report
   * @returns the result of the span, and the open model call in it that must end with it
   */
  end(span: RecordedSpan, result: RunSpanResult): { result: RunSpanResult; openCallId?: string } {
    const { spanId, parentSpanId = "" } = span;
    const operation = operationOf(span);
    const own = this.#calls.get(parentSpanId);
    if (own?.id === spanId) {
      own.hasFailed = result.stopReason === "error";
      if (!own.hasFailed) this.#calls.delete(parentSpanId);
    }
    const call = /^ai\.stream(Text|Object)$/.test(operation) ? this.#calls.get(spanId) : undefined;
    if (call === undefined) return { result: result };
    this.#calls.delete(spanId);
    if (result.error !== undefined) return { result: result };
    if (call.hasFailed) return { result: { ...result, stopReason: "error" } };
    return { result: { ...result, isCancelled: true }, openCallId: call.id };
  }
}

interface InvalidCall {
  readonly span: RunSpan;
  readonly result: RunSpanResult;
}

/** No span reports the invalid tool calls of a streamed model call. */
export function invalidCallsIn(span: RecordedSpan): readonly InvalidCall[] {
  const { attributes, spanId, parentSpanId: parentId, endedAt: at } = span;
  const text = attributes["ai.response.toolCalls"];
  const calls = operationOf(span) === "ai.streamText.doStream" ? jsonIn(String(text)) : undefined;
  if (!Array.isArray(calls)) return [];
  return calls.filter(isJsonObject).flatMap((call) => {
    const toolCallId = labelField(call, "toolCallId");
    if (call.invalid !== true || toolCallId === undefined) return [];
    const error = objectField(call, "error");
    const type = labelField(error, "name");
    const message = labelField(error, "message") ?? type ?? "failed";
    const name = labelField(call, "toolName") ?? "tool";
    return [
      {
        span: {
          id: `${spanId}:${toolCallId}`,
          parentId,
          kind: "tool",
          name,
          toolCallId,
          input: call.input,
          at,
        },
        result: { error: { message, type }, at },
      },
    ];
  });
}

const operationOf = ({ attributes }: RecordedSpan) => String(attributes["ai.operationId"] ?? "");
